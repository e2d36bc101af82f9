package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.KeyboardModifier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;

/** Tests that users search, select and change jobs, and read a single job. */
interface JobPages extends Console {
  Duration SOON = Duration.ofSeconds(20);

  private Locator choice(int row) {
    return page().locator(".rows input[type=checkbox]").nth(row);
  }

  @Test
  default void search_is_part_of_the_address_and_state_links_narrow_it() {
    enqueue("sought", Console.pings(1, "\"payload\":{\"invoice\":42},\"delay\":\"PT1H\""));
    enqueue("sought", Console.pings(2, "\"payload\":{\"invoice\":43},\"delay\":\"PT1H\""));
    open("viewer", "jobs");
    Locator search = page().getByLabel("Search jobs");
    search.fill("que");
    page().getByRole(AriaRole.OPTION).getByText("queue:").click();
    search.pressSequentially("sought payload.invoice:43");
    search.press("Enter");
    assertThat(page().locator(".rows .row")).hasCount(2);
    assertThat(page()).hasURL(window().uri("#/jobs?q=queue%3Asought+payload.invoice%3A43"));
    page().getByRole(AriaRole.LINK).getByText("Discarded").click();
    assertThat(heading("No jobs match")).isVisible();
    page().goBack();
    assertThat(page().locator(".rows .row")).hasCount(2);
  }

  @Test
  default void suggestions_can_be_searched_for() {
    // Nodes report job types with their versions, which are not part of the name.
    database()
        .execute(
            """
            insert into readpast_node (id, name, version, lease_ms, queues, types)
            values (gen_random_uuid(), 'second-version', '0.1.0', 3600000, '{}', '{suggested.type@2}')""");
    enqueue(
        "suggested",
        Console.pings(1, "\"payload\":{},\"delay\":\"PT1H\",\"properties\":{\"region\":\"e u\"}"));
    open("viewer", "jobs");
    Locator search = page().getByLabel("Search jobs");
    Locator hints = page().getByRole(AriaRole.OPTION);
    search.focus();
    search.fill("wav");
    assertThat(hints).hasText(new String[] {"wave:"});
    Await.until(
        SOON,
        () -> {
          search.fill("type:suggested");
          return hints.count() == 1;
        });
    assertThat(hints).hasText(new String[] {"type:suggested.type"});
    search.fill("property.reg");
    assertThat(hints).hasText(new String[] {"property.region:"});
    search.fill("property.region:");
    hints.click();
    assertThat(search).hasValue("property.region:\"e u\"");
    search.press("Enter");
    assertThat(page().locator(".rows .row")).hasCount(1);
    database().execute("delete from readpast_node where name = 'second-version'");
  }

  @Test
  default void unknown_part_of_a_search_is_reported() {
    window().expectFault("status of 400");
    enterAs("viewer");
    window().open("#/jobs?q=colour%3Ared");
    assertThat(page().getByRole(AriaRole.ALERT)).containsText("colour:");
  }

  @Test
  default void jobs_selected_with_shift_are_reset_after_a_confirmation() {
    enqueue("failed", Console.pings(5, "\"payload\":{\"fail\":1},\"maxAttempts\":1"));
    Await.until(SOON, () -> count("failed", "DISCARDED") == 5);
    open("operator", "jobs?q=queue:failed&state=DISCARDED");
    choice(1).click();
    choice(3).click(new Locator.ClickOptions().setModifiers(List.of(KeyboardModifier.SHIFT)));
    assertThat(page().getByText("3 selected")).isVisible();
    window().screenshot("jobs-chosen");
    button("Reset").click();
    window().screenshot("jobs-question");
    assertThat(window().accessibilityFaults()).isEmpty();
    confirm("Reset");
    awaitSaid("3 of 3 jobs");
    assertThat(count("failed", "DISCARDED")).isLessThanOrEqualTo(5);
  }

  @Test
  default void matching_jobs_are_cancelled_even_if_not_listed() {
    enqueue("waiting", Console.pings(150, "\"payload\":{},\"delay\":\"PT1H\""));
    open("operator", "jobs?q=queue:waiting&state=SCHEDULED");
    page().getByLabel("Select all listed jobs").click();
    button("Select all matching jobs").click();
    assertThat(page().getByText("150 selected")).isVisible();
    button("Cancel").click();
    confirm("Cancel jobs");
    awaitSaid("150 of 150 jobs");
    assertThat(count("waiting", "CANCELLED")).isEqualTo(150);
  }

  @Test
  default void job_shows_its_failure_and_is_reset_with_another_payload() {
    long job = enqueue("mended", Console.pings(1, "\"payload\":{\"fail\":99},\"maxAttempts\":1"));
    Await.until(SOON, () -> "DISCARDED".equals(stateOf(job)));
    open("operator", "jobs/" + job);
    assertThat(page().locator("summary"))
        .containsText("attempt 1 of 99 attempts that fail on request");
    assertThat(field("Stack trace of attempt 1")).containsText("java.lang.IllegalStateException");
    window().screenshot("job-discarded");
    button("Edit and reset").click();
    page().getByLabel("Payload").fill("{\"fail\": 0}");
    assertThat(window().accessibilityFaults()).isEmpty();
    button("Reset with this payload").click();
    assertThat(page().locator("h1 + .state")).hasText("Completed");
    assertThat(stateOf(job)).isEqualTo("COMPLETED");
  }

  @Test
  default void waiting_job_shows_its_reason_and_runs_on_request() {
    long job = enqueue("later", Console.pings(1, "\"payload\":{},\"delay\":\"PT1H\""));
    open("operator", "jobs/" + job);
    assertThat(page().getByText("Why it is not running")).isVisible();
    window().screenshot("job-scheduled");
    button("Run now").click();
    assertThat(page().locator("h1 + .state")).hasText("Completed");
  }

  @Test
  default void cancelled_job_is_shown_as_cancelled() {
    long job = enqueue("later", Console.pings(1, "\"payload\":{},\"delay\":\"PT1H\""));
    open("operator", "jobs/" + job);
    button("Cancel").click();
    confirm("Cancel job");
    assertThat(page().locator("h1 + .state")).hasText("Cancelled");
  }

  @Test
  default void number_beyond_the_range_of_javascript_keeps_its_digits() {
    long job =
        enqueue(
            "later",
            Console.pings(1, "\"payload\":{\"n\":12345678901234567890},\"delay\":\"PT1H\""));
    open("viewer", "jobs/" + job);
    assertThat(page().getByLabel("Payload").last()).containsText("12345678901234567890");
  }

  @Test
  default void job_enqueued_elsewhere_appears_without_a_reload() {
    open("viewer", "jobs?q=queue:live");
    assertThat(heading("No jobs match")).isVisible();
    long job = enqueue("live", Console.pings(1, "\"payload\":{}"));
    assertThat(row(Long.toString(job))).containsText("Completed");
  }
}
