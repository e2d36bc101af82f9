package org.readpast.server.access;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.support.BrowserWindow;
import org.readpast.support.Database;
import org.readpast.support.RawHttp;
import org.readpast.support.TestDatabase;
import org.readpast.support.WebBrowser;

/**
 * Tests users with a role in the queue {@code payroll}, and a queue {@code secrets} that no user is
 * allowed to see.
 */
interface RolesByQueue {
  /**
   * @param login name and password, separated by a colon; empty: unauthenticated
   */
  RawHttp caller(String login);

  Database database();

  URI address();

  @Test
  default void caller_without_a_role_in_a_restricted_queue_sees_and_changes_nothing_of_it() {
    HiddenQueue hidden = new HiddenQueue(database(), caller("admin:secret"));
    hidden.fill();
    hidden.isThere();
    String before = hidden.state();
    for (String who : List.of("hr", "hr-lead", "hr-chief", "viewer", "operator", "both")) {
      hidden.revealsNothing(caller(who + ":secret"), who);
      assertThat(
              caller(who + ":secret")
                  .send(
                      "POST",
                      "/readpast/api/queues/secrets/jobs",
                      "{\"type\":\"readpast.ping\",\"payload\":{}}")
                  .status())
          .isEqualTo(403);
    }
    assertThat(hidden.state()).isEqualTo(before);
  }

  @Test
  default void role_in_one_queue_permits_the_operations_of_that_queue() {
    String jobs = "/readpast/api/queues/payroll/jobs";
    String job = "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}";
    assertThat(caller("hr:secret").send("POST", jobs, job).status()).isEqualTo(403);
    var enqueued = caller("hr-lead:secret").send("POST", jobs, job);
    assertThat(enqueued.status()).as(enqueued.body()).isEqualTo(201);
    String id = enqueued.body().replaceAll("(?s).*?\"id\":([0-9]+).*", "$1");
    for (String who : List.of("hr", "hr-lead", "hr-chief", "both", "admin")) {
      assertThat(caller(who + ":secret").get("/readpast/api/jobs/" + id).status())
          .as(who)
          .isEqualTo(200);
    }
    for (String who : List.of("viewer", "operator")) {
      assertThat(caller(who + ":secret").get("/readpast/api/jobs/" + id).status())
          .as(who)
          .isEqualTo(404);
    }
    assertThat(caller("hr:secret").send("DELETE", "/readpast/api/jobs/" + id, "").status())
        .isEqualTo(403);
    assertThat(caller("both:secret").get("/readpast/api/queues").body()).contains("\"payroll\"");
    String purge = "/readpast/api/queues/payroll/purge";
    assertThat(caller("hr-lead:secret").send("POST", purge, "").status()).isEqualTo(403);
    assertThat(caller("hr-chief:secret").send("POST", purge, "").body())
        .containsPattern("\"cancelled\":[1-9]");
    assertThat(caller("hr:secret").get("/readpast/api/audit").body())
        .contains("queue.purge")
        .doesNotContain("sign-in");
    assertThat(
            caller("")
                .send("POST", "/readpast/api/session", "{\"name\":\"hr\",\"password\":\"secret\"}")
                .body())
        .contains("\"others\":\"NONE\"", "\"queues\":{\"payroll\":\"VIEWER\"}");
  }

  @Test
  default void response_is_not_replayed_to_a_user_that_lost_the_role() {
    String jobs = "/readpast/api/queues/payroll/jobs";
    String job = "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}";
    RawHttp lead = caller("hr-lead:secret").with("Idempotency-Key: once");
    var first = lead.send("POST", jobs, job);
    assertThat(first.status()).as(first.body()).isEqualTo(201);
    assertThat(lead.send("POST", jobs, job).body()).isEqualTo(first.body());

    // Roles are configured by user name, so the owner of the stored response is changed instead.
    database().execute("update readpast_idempotency set principal = 'operator' where key = 'once'");

    var again = caller("operator:secret").with("Idempotency-Key: once").send("POST", jobs, job);
    assertThat(again.status()).as(again.body()).isEqualTo(403);
    assertThat(again.body()).doesNotContain("readpast.ping");
  }

  @Test
  default void console_shows_only_the_pages_of_a_user_of_one_queue() {
    assertThat(
            caller("admin:secret")
                .send(
                    "POST",
                    "/readpast/api/queues/payroll/jobs",
                    "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}")
                .status())
        .isEqualTo(201);
    String job =
        TestDatabase.value(database(), "select max(id) from readpast_job where queue = 'payroll'");
    try (BrowserWindow window = WebBrowser.window(address())) {
      window.open("#/queues?queue=payroll");
      window.page().getByLabel("Name").fill("hr-lead");
      window.page().getByLabel("Password").fill("secret");
      window.page().locator("main button").first().click();
      // The console offers an operator the button to pause the queue, but not the one to purge it.
      window.page().locator("main button", having("Pause")).waitFor();
      assertThat(window.page().locator("main button", having("Purge"))).hasCount(0);
      for (String path :
          List.of("overview", "jobs", "jobs/" + job, "queues", "batches", "schedules", "audit")) {
        window.open("#/" + path);
        window.page().locator("main h1").waitFor();
        assertThat(window.page().locator(".skeleton:visible")).hasCount(0);
        assertThat(window.page().locator("[role=alert]")).hasCount(0);
      }
      assertThat(window.page().locator("nav.side a"))
          .hasText(new String[] {"Overview", "Jobs", "Queues", "Batches", "Schedules", "Audit"});
      assertThat(window.faults()).isEmpty();
    }
  }

  private static Page.LocatorOptions having(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }
}
