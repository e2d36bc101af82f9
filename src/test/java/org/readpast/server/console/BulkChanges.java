package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import jakarta.json.Json;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.TestDatabase;

/** Tests that an action applies to all matching jobs, even if no page has listed them. */
interface BulkChanges extends Console {

  private void insertEnded(String queue, int number) {
    database()
        .execute(
            """
            insert into readpast_job_history (id, enqueued_at, available_at, started_at, claim_no, attempt, uncounted,
              crashes, max_attempts, priority, state, queue, type, payload)
            select nextval('readpast_job_id'), now(), now(), now(), 1, 1, 0, 0, 1, 4, 'DISCARDED', '%s',
              'readpast.ping', '{}' from generate_series(1, %d)"""
                .formatted(queue, number));
  }

  private void chooseAllThatMatch(String search) {
    chooseAllThatMatch("operator", search);
  }

  private void chooseAllThatMatch(String user, String search) {
    open(user, search);
    page().getByLabel("Select all listed jobs").click();
    assertThat(page().getByText("100 selected")).isVisible();
    button("Select all matching jobs").click();
  }

  @Test
  default void matching_jobs_are_deleted_after_a_confirmation() {
    insertEnded("forgotten", 250);
    chooseAllThatMatch("jobs?q=queue:forgotten&state=DISCARDED");
    assertThat(page().getByText("250 selected")).isVisible();
    button("Delete").click();
    assertThat(heading("Delete 250 jobs?")).isVisible();
    confirm("Cancel");
    assertThat(page().locator("dialog[open]")).hasCount(0);
    assertThat(count("forgotten", "DISCARDED")).isEqualTo(250);

    button("Delete").click();
    assertThat(page().locator("dialog[open]")).containsText("This cannot be undone");
    confirm("Delete");
    awaitSaid("250 of 250 jobs deleted");
    assertThat(count("forgotten", "DISCARDED")).isZero();
    assertThat(heading("No jobs match")).isVisible();
  }

  @Test
  default void matching_jobs_are_erased_by_administrators_only() {
    insertEnded("about-people", 120);
    chooseAllThatMatch("jobs?q=queue:about-people&state=DISCARDED");
    assertThat(button("Delete")).isVisible();
    assertThat(button("Erase")).hasCount(0);

    // The page requests the roles of its user when it is loaded.
    page().navigate("about:blank");
    chooseAllThatMatch("admin", "jobs?q=queue:about-people&state=DISCARDED");
    button("Erase").click();
    confirm("Erase");
    awaitSaid("120 of 120 jobs erased");
    assertThat(
            TestDatabase.count(
                database(),
                "select count(*) from readpast_job_history"
                    + " where queue = 'about-people' and payload is null"))
        .isEqualTo(120);
    String id =
        TestDatabase.value(
            database(), "select min(id) from readpast_job_history where queue = 'about-people'");
    open("admin", "jobs/" + id);
    assertThat(page().getByText("an administrator has erased this one")).isVisible();
  }

  @Test
  default void matching_scheduled_jobs_run_now() {
    enqueue("early", Console.pings(110, "\"payload\":{},\"delay\":\"PT1H\""));
    chooseAllThatMatch("jobs?q=queue:early");
    button("Run now").click();
    confirm("Run now");
    awaitSaid("110 of 110 jobs due now");
    Await.until(
        Duration.ofSeconds(30),
        "the jobs",
        () ->
            TestDatabase.count(
                    database(),
                    "select count(*) from readpast_job_history where queue = 'early' and state = 'COMPLETED'")
                == 110);
  }

  @Test
  default void matching_jobs_get_the_requested_priority() {
    enqueue("urgent", Console.pings(120, "\"payload\":{},\"delay\":\"PT1H\""));
    chooseAllThatMatch("jobs?q=queue:urgent&state=SCHEDULED");
    button("Prioritize").click();
    Locator priority = page().locator("dialog[open]").getByLabel("Priority");
    assertThat(priority).isFocused();
    priority.fill("10");
    confirm("Prioritize");
    assertThat(page().locator("dialog[open]")).isVisible();
    priority.fill("9");
    priority.press("Enter");
    awaitSaid("120 of 120 jobs prioritized");
    assertThat(
            TestDatabase.count(
                database(),
                "select count(*) from readpast_job where queue = 'urgent' and priority = 9"))
        .isEqualTo(120);
  }

  @Test
  default void matching_jobs_are_reset() {
    enqueue("again", Console.pings(110, "\"payload\":{\"fail\":1},\"maxAttempts\":1"));
    Await.until(JobPages.SOON, () -> count("again", "DISCARDED") == 110);
    chooseAllThatMatch("jobs?q=queue:again&state=DISCARDED");
    button("Reset").click();
    confirm("Reset");
    awaitSaid("110 of 110 jobs reset");
    Await.until(JobPages.SOON, () -> count("again", "COMPLETED") == 110);
  }

  @Test
  default void removed_jobs_are_neither_listed_nor_selected() {
    insertEnded("shrinking", 250);
    open("operator", "jobs?q=queue:shrinking&state=DISCARDED");
    Await.until(
        Duration.ofSeconds(15),
        () -> {
          page().mouse().wheel(0, 20_000);
          return "251".equals(page().getByRole(AriaRole.TABLE).getAttribute("aria-rowcount"));
        });
    page().mouse().wheel(0, -100_000);
    page().getByLabel("Select all listed jobs").click();
    assertThat(page().getByText("250 selected")).isVisible();
    database()
        .execute(
            """
            delete from readpast_job_history where queue = 'shrinking' and id >= (
              select id from readpast_job_history where queue = 'shrinking' order by id desc offset 49 limit 1)""");
    assertThat(page().getByText("200 selected")).isVisible();
    assertThat(page().getByRole(AriaRole.TABLE)).hasAttribute("aria-rowcount", "201");
    database().execute("delete from readpast_job_history where queue = 'shrinking'");
    assertThat(heading("No jobs match")).isVisible();
    assertThat(page().locator(".chosen")).hasCount(0);
  }

  @Test
  default void bulk_action_runs_in_steps_and_can_be_stopped() {
    insertEnded("many", 130);
    String cursor = api().get("/jobs?q=queue:many&limit=1").object().getString("next");
    Queue<Route> held = new ArrayDeque<>();
    page().route("**/api/jobs/bulk", held::add);
    chooseAllThatMatch("jobs?q=queue:many&state=DISCARDED");
    button("Delete").click();
    confirm("Delete");
    Locator progress = page().locator("readpast-bulk .notice");
    assertThat(progress).containsText("Delete: in progress");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("jobs-bulk-progress");
    goOn(held.remove(), cursor);
    assertThat(progress).containsText("Delete: 130 of 130 jobs so far");
    page().waitForCondition(() -> !held.isEmpty());
    assertThat(held.element().request().postData()).contains("\"cursor\":");
    button("Stop").click();
    assertThat(button("Stop")).isDisabled();
    goOn(held.remove(), cursor);
    awaitSaid("130 of 130 jobs deleted; stopped");
    assertThat(held).isEmpty();
  }

  /**
   * Responds to the request with the server's own response, changed to say that the time did not
   * suffice.
   */
  private static void goOn(Route route, String next) {
    var answer = route.fetch();
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    try (var body = Json.createReader(new StringReader(answer.text()))) {
      var unfinished = Json.createObjectBuilder(body.readObject()).add("next", next).build();
      route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(unfinished.toString()));
    }
  }

  @Test
  default void list_loads_more_while_scrolling_and_renders_only_visible_rows() {
    insertEnded("long", 260);
    open("viewer", "jobs?q=queue:long");
    assertThat(page().getByRole(AriaRole.TABLE)).hasAttribute("aria-rowcount", "-1");
    Await.until(
        Duration.ofSeconds(15),
        () -> {
          page().mouse().wheel(0, 20_000);
          return "261".equals(page().getByRole(AriaRole.TABLE).getAttribute("aria-rowcount"));
        });
    String oldest =
        TestDatabase.value(
            database(), "select min(id) from readpast_job_history where queue = 'long'");
    Await.until(
        Duration.ofSeconds(15),
        () -> {
          // A single key press may have no effect while the wheel is still scrolling.
          page().keyboard().press("End");
          return row(oldest).isVisible();
        });
    assertThat(page().locator(".rows .row").count()).isLessThan(100);
  }

  @Test
  default void selection_stays_when_new_jobs_push_it_off_the_list() {
    insertEnded("growing", 150);
    open("operator", "jobs?q=queue:growing&state=DISCARDED");
    page().locator(".rows input[type=checkbox]").nth(2).click();
    assertThat(page().getByText("1 selected")).isVisible();
    String first = page().locator(".rows .row a").first().innerText();
    insertEnded("growing", 150);
    assertThat(row(first)).hasCount(0);
    assertThat(page().getByText("1 selected")).isVisible();
    button("Delete").click();
    confirm("Delete");
    awaitSaid("1 of 1 jobs deleted");
    assertThat(count("growing", "DISCARDED")).isEqualTo(299);
  }

  @Test
  default void results_of_later_pages_of_a_slow_search_stay_during_a_refresh() {
    insertEnded("sparse", 4);
    String cursor = api().get("/jobs?q=queue:sparse&limit=1").object().getString("next");
    String late =
        "{\"jobs\":[],\"next\":\"%s\",\"searched\":{\"jobs\":9,\"until\":\"%s\",\"complete\":false}}"
            .formatted(cursor, Instant.now());
    AtomicInteger asked = new AtomicInteger();
    page()
        .route(
            url -> url.contains("/api/jobs?") && !url.contains("cursor="),
            route -> {
              asked.incrementAndGet();
              route.fulfill(
                  new Route.FulfillOptions().setContentType("application/json").setBody(late));
            });
    open("viewer", "jobs?q=queue:sparse");
    assertThat(page().locator(".rows .row")).hasCount(3);
    page().route(url -> url.contains("cursor="), Route::abort);
    int before = asked.get();
    enqueue("mail", Console.pings(1, "\"payload\":{}"));
    page().waitForCondition(() -> asked.get() > before + 1);
    assertThat(page().locator(".rows .row")).hasCount(3);
  }

  @Test
  default void viewer_can_select_but_not_change_jobs() {
    insertEnded("looked-at", 2);
    open("viewer", "jobs?q=queue:looked-at");
    page().getByLabel("Select all listed jobs").click();
    assertThat(page().getByText("Read-only: your role cannot change jobs.")).isVisible();
    for (String action : List.of("Reset", "Run now", "Cancel", "Delete", "Prioritize")) {
      assertThat(button(action)).hasCount(0);
    }
    button("Clear selection").click();
    assertThat(page().getByText("2 selected")).hasCount(0);
  }

  @Test
  default void new_search_clears_selection_and_rows_even_if_it_fails() {
    window().expectFault("api/jobs");
    insertEnded("chosen", 110);
    chooseAllThatMatch("jobs?q=queue:chosen&state=DISCARDED");
    page().route("**/api/jobs?*", Route::abort);
    window().open("#/jobs?q=queue:mail");
    assertThat(page().locator("main [role=alert]")).containsText("does not respond");
    assertThat(page().getByLabel("Selected jobs")).hasCount(0);
    assertThat(page().locator(".rows .row")).hasCount(0);
    page().unroute("**/api/jobs?*");

    go("jobs?q=queue:chosen");
    page().getByLabel("Select all listed jobs").click();
    window().open("#/jobs?q=colour:red");
    assertThat(page().locator("main [role=alert]")).containsText("colour:");
    assertThat(page().getByLabel("Selected jobs")).hasCount(0);
    assertThat(page().locator(".rows .row")).hasCount(0);
  }

  @Test
  default void navigation_closes_the_confirmation() {
    insertEnded("asked-about", 3);
    open("operator", "nodes");
    window().open("#/jobs?q=queue:asked-about");
    page().getByLabel("Select all listed jobs").click();
    button("Delete").click();
    assertThat(heading("Delete 3 jobs?")).isVisible();
    page().goBack();
    assertThat(page().locator("dialog[open]")).hasCount(0);
    assertThat(count("asked-about", "DISCARDED")).isEqualTo(3);
  }

  @Test
  default void matching_jobs_of_all_states_are_counted() {
    insertEnded("of-all-states", 120);
    enqueue("of-all-states", Console.pings(3, "\"payload\":{},\"delay\":\"PT1H\""));
    chooseAllThatMatch("jobs?q=queue:of-all-states");
    button("Reset").click();
    assertThat(heading("Reset 123 jobs?")).isVisible();
  }

  @Test
  default void bulk_action_continues_visibly_on_other_pages() {
    insertEnded("left-alone", 130);
    String cursor = api().get("/jobs?q=queue:left-alone&limit=1").object().getString("next");
    Queue<Route> held = new ArrayDeque<>();
    page().route("**/api/jobs/bulk", held::add);
    chooseAllThatMatch("jobs?q=queue:left-alone&state=DISCARDED");
    button("Delete").click();
    confirm("Delete");
    page().waitForCondition(() -> !held.isEmpty());
    window().open("#/nodes");
    assertThat(heading("Nodes")).isVisible();
    goOn(held.remove(), cursor);
    Locator progress = page().locator("readpast-bulk .notice");
    assertThat(progress).containsText("Delete: 130 of 130 jobs so far");
    page().waitForCondition(() -> !held.isEmpty());
    window().screenshot("nodes-bulk-progress");
    button("Stop").click();
    goOn(held.remove(), cursor);
    awaitSaid("130 of 130 jobs deleted; stopped");
    assertThat(progress).hasCount(0);
  }

  @Test
  default void bulk_action_that_fails_reports_its_progress_and_can_resume() {
    window().expectFault("api/jobs/bulk");
    insertEnded("half-way", 130);
    String cursor = api().get("/jobs?q=queue:half-way&limit=1").object().getString("next");
    Queue<Route> held = new ArrayDeque<>();
    page().route("**/api/jobs/bulk", held::add);
    chooseAllThatMatch("jobs?q=queue:half-way&state=DISCARDED");
    button("Delete").click();
    confirm("Delete");
    page().waitForCondition(() -> !held.isEmpty());
    goOn(held.remove(), cursor);
    page().waitForCondition(() -> !held.isEmpty());
    // The server ran out of time, so the console repeats the request.
    held.remove().fulfill(new Route.FulfillOptions().setStatus(503));
    page().waitForCondition(() -> !held.isEmpty());
    held.remove().abort();
    Locator progress = page().locator("readpast-bulk .notice");
    assertThat(progress)
        .containsText("130 jobs deleted before an error: The server does not respond");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("jobs-bulk-failed");
    button("Resume").click();
    page().waitForCondition(() -> !held.isEmpty());
    assertThat(held.element().request().postData()).contains("\"cursor\":");
    held.remove().resume();
    awaitSaid("130 of 130 jobs deleted");
    assertThat(progress).hasCount(0);
  }
}
