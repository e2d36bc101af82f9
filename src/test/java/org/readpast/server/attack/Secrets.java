package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.TestDatabase;

/**
 * Configures secrets that no caller is allowed to read, and searches the log for them at the end.
 */
interface Secrets extends Attack {
  String ADMIN = "pw-0f3c91-administrator";
  String DATABASE = "pw-77ab20-database";
  String WEBHOOK = "whsec_YjE5NDZhLCB0aGUgc2VjcmV0IG9mIHRoZSB3ZWJob29r";
  String WEBHOOK_PATH = "pw-5d41c0-in-the-path";
  List<String> ALL = List.of(ADMIN, DATABASE, WEBHOOK, WEBHOOK_PATH);

  /** Lists the paths whose responses contain more than a problem. */
  List<String> READABLE =
      List.of(
          "about",
          "audit",
          "audit?format=csv",
          "batches",
          "jobs",
          "jobs?state=DISCARDED",
          "listener",
          "nodes",
          "overview",
          "queues",
          "rules",
          "schedules",
          "sql/executions",
          "session");

  /**
   * Triggers a call of the webhook with a dead letter; the address of the webhook does not exist,
   * so a failure is recorded.
   */
  @Test
  default void neither_responses_nor_dead_letters_contain_a_secret() {
    post(
        "/queues/secrets/jobs",
        "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":9},\"maxAttempts\":1}");
    post(
        "/queues/secrets/jobs",
        "{\"type\":\"sql\",\"maxAttempts\":1,\"payload\":{\"statement\":\"known\",\"datasource\":\"jdbc/none\"}}");
    Await.until(
        Duration.ofSeconds(60),
        "the failure of the webhook",
        () ->
            TestDatabase.count(
                    database(),
                    "select count(*) from readpast_failure f where f.job_id in (select id from"
                        + " readpast_job where type = 'readpast.webhook')")
                > 0);
    for (String path : READABLE) {
      assertTold(path);
    }
    TestDatabase.column(database(), "select distinct job_id from readpast_failure")
        .forEach(job -> assertTold("jobs/" + job));
  }

  private void assertTold(String path) {
    var answer = get("/" + path);
    assertThat(answer.status()).as(path).isEqualTo(200);
    assertThat(ALL.stream().filter(answer.text()::contains)).as(path).isEmpty();
  }

  @Test
  default void pages_show_no_secret() {
    signIn();
    for (String page : List.of("about", "audit", "overview", "jobs?q=queue:readpast")) {
      window().page().navigate("about:blank");
      window().open("#/" + page);
      window().page().locator("main h1").waitFor();
      String shown = window().page().content();
      assertThat(ALL.stream().filter(shown::contains)).as(page).isEmpty();
    }
  }

  /** A wrong password is often the right one for another account. */
  @Test
  default void wrong_password_is_not_stored() {
    http().as("admin:" + ADMIN + "x").get("/readpast/api/queues");
    http()
        .with("Content-Type: application/json")
        .send("POST", "/readpast/api/session", "{\"name\":\"" + ADMIN + "\",\"password\":\"x\"}");
    http()
        .with("Content-Type: application/json")
        .send("POST", "/readpast/api/session", "{\"password\":\"" + ADMIN + "\",\"nme\":1}");
    assertThat(get("/audit").text()).doesNotContain(ADMIN);
  }
}
