package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.Await;

/** Tests further actions on a single job. */
interface JobActions extends Console {
  String CARD = "{\"card\":{\"number\":12345678901234567890},\"secret\":\"hush\",\"sum\":5}";

  private long discarded() {
    long job =
        enqueue(
            "acted-on", "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":1},\"maxAttempts\":1}");
    Await.until(JobPages.SOON, () -> "DISCARDED".equals(stateOf(job)));
    return job;
  }

  private long scheduled(String payload) {
    return enqueue(
        "acted-on", "{\"type\":\"readpast.ping\",\"payload\":" + payload + ",\"delay\":\"PT1H\"}");
  }

  @Test
  default void job_is_reset_with_its_payload_unchanged() {
    long job = discarded();
    open("operator", "jobs/" + job);
    button("Reset").click();
    awaitSaid("Job reset");
    // Only the first attempt fails.
    assertThat(page().locator("h1 + .state")).hasText("Completed");
    assertThat(stateOf(job)).isEqualTo("COMPLETED");
  }

  @Test
  default void completed_job_is_deleted_but_not_reset() {
    long job = enqueue("acted-on", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    Await.until(JobPages.SOON, () -> "COMPLETED".equals(stateOf(job)));
    open("operator", "jobs/" + job);
    assertThat(button("Delete")).isVisible();
    assertThat(button("Reset")).hasCount(0);
    assertThat(button("Edit and reset")).hasCount(0);
  }

  @Test
  default void group_continues_after_the_failure_of_its_discarded_job_is_skipped() {
    String held = "\"group\":\"held/up\",\"payload\":{\"fail\":";
    long failing =
        enqueue(
            "acted-on",
            "{\"type\":\"readpast.ping\",\"maxAttempts\":1,\"groupFailure\":\"HOLD\","
                + held
                + "9}}");
    long next = enqueue("acted-on", "{\"type\":\"readpast.ping\"," + held + "0}}");
    Await.until(JobPages.SOON, () -> "DISCARDED".equals(stateOf(failing)));
    open("viewer", "jobs/" + failing);
    assertThat(button("Skip the failure of the group")).hasCount(0);
    page().navigate("about:blank");
    open("operator", "jobs/" + failing);
    button("Skip the failure of the group").click();
    assertThat(page().locator("dialog[open]")).containsText("stay discarded");
    assertThat(stateOf(next)).isEqualTo("BLOCKED");
    confirm("Skip the failure");
    awaitSaid("Group continues");
    Await.until(JobPages.SOON, () -> "COMPLETED".equals(stateOf(next)));
    assertThat(stateOf(failing)).isEqualTo("DISCARDED");
  }

  @Test
  default void ended_job_is_deleted_after_a_confirmation() {
    long job = discarded();
    open("operator", "jobs/" + job);
    button("Delete").click();
    assertThat(heading("Delete job " + job + "?")).isVisible();
    confirm("Cancel");
    assertThat(stateOf(job)).isEqualTo("DISCARDED");
    button("Delete").click();
    confirm("Delete job");
    awaitSaid("deleted");
    assertThat(heading("Jobs")).isVisible();
    assertThat(api().get("/jobs/" + job).status()).isEqualTo(404);
  }

  @Test
  default void deletion_does_not_navigate_away_from_another_page() {
    open("operator", "jobs/" + discarded());
    goOnAnswer("DELETE", "queues");
    button("Delete").click();
    confirm("Delete job");
    awaitSaid("deleted");
    assertThat(heading("Queues")).isVisible();
  }

  @Test
  default void waiting_job_gets_another_priority() {
    long job = scheduled("{}");
    open("operator", "jobs/" + job);
    page().getByLabel("Priority").selectOption("8");
    awaitSaid("Priority set to 8");
    assertThat(api().get("/jobs/" + job).object().getInt("priority")).isEqualTo(8);
  }

  @Test
  default void waiting_job_is_rescheduled_in_local_time() {
    long job = scheduled("{}");
    open("operator", "jobs/" + job);
    button("Reschedule").click();
    page().getByLabel("Due at").fill("2027-01-15T13:30");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("job-reschedule");
    button("Reschedule").last().click();
    awaitSaid("Job rescheduled");
    assertThat(page().getByLabel("Due at")).hasCount(0);
    assertThat(api().get("/jobs/" + job).object().getString("availableAt"))
        .startsWith("2027-01-15T12:30:00");
  }

  @Test
  default void new_job_is_enqueued_and_shown() {
    open("operator", "jobs");
    button("New job").click();
    Locator form = page().locator("readpast-job-editor");
    form.getByLabel("Queue").fill("by-hand");
    form.getByLabel("Type").fill("readpast.ping");
    form.getByLabel("Priority").fill("7");
    form.getByLabel("Delay").fill("PT1H");
    form.getByLabel("Attempts").fill("3");
    form.getByLabel("Payload").fill("{\"n\": 12345678901234567890");
    button("Enqueue").click();
    assertThat(form.getByLabel("Payload")).hasJSProperty("validity.valid", false);
    form.getByLabel("Payload").fill("{\"n\": 12345678901234567890}");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("job-new");
    List<String> keys = new ArrayList<>();
    page().onRequest(request -> keys.add(request.headers().get("idempotency-key")));
    button("Enqueue").click();
    assertThat(page().locator("h1 + .state")).hasText("Scheduled");
    assertThat(field("Payload").last()).containsText("12345678901234567890");
    assertThat(page().getByLabel("Headers")).containsText("by-hand");
    assertThat(page().getByLabel("Headers")).containsText("of 3");
    assertThat(page().getByLabel("Priority")).hasValue("7");
    assertThat(keys).filteredOn(key -> key != null).hasSize(1);
    assertThat(count("by-hand", "SCHEDULED")).isEqualTo(1);
  }

  @Test
  default void refused_job_shows_the_reason_and_stays_editable() {
    window().expectFault("status of 422");
    open("operator", "jobs");
    button("New job").click();
    Locator form = page().locator("readpast-job-editor");
    form.getByLabel("Queue").fill("by-hand");
    form.getByLabel("Type").fill("no.such.type");
    button("Enqueue").click();
    assertThat(page().locator(".toast.bad")).containsText("no.such.type");
    assertThat(form.getByLabel("Type")).hasValue("no.such.type");
    button("Cancel").click();
    assertThat(form.getByLabel("Type")).hasCount(0);
  }

  @Test
  default void copy_of_an_ended_job_is_enqueued_with_its_payload_and_properties() {
    long job =
        enqueue(
            "acted-on",
            "{\"type\":\"readpast.ping\",\"payload\":{\"n\":12345678901234567890},\"priority\":6,\"properties\":{\"tenant\":\"copied\"}}");
    Await.until(JobPages.SOON, () -> "COMPLETED".equals(stateOf(job)));
    open("operator", "jobs/" + job);
    button("Enqueue a copy").click();
    button("Enqueue").last().click();
    awaitSaid("enqueued");
    assertThat(page().locator("h1")).not().containsText(Long.toString(job));
    assertThat(page().getByLabel("Headers")).containsText("copied");
    assertThat(page().getByLabel("Payload").last()).containsText("12345678901234567890");
    assertThat(page().locator("h1 + .state")).hasText("Completed");
    assertThat(page().locator(".facts dd").nth(2)).hasText("6");
    assertThat(button("Enqueue").last()).containsText("a copy");
  }

  @Test
  default void running_job_gets_a_cancellation_request() {
    long job =
        enqueue(
            "acted-on",
            "{\"type\":\"readpast.ping\",\"payload\":{\"sleep\":\"PT2M\",\"mode\":\"LEASED\"}}");
    open("operator", "jobs/" + job);
    assertThat(page().locator("h1 + .state")).hasText("Running");
    button("Cancel").click();
    assertThat(page().locator("dialog[open]")).containsText("asked to stop");
    confirm("Cancel job");
    awaitSaid("Cancellation requested");
    // The handler of this job decides when the job ends.
    assertThat(page().locator(".state.stopping")).hasText("cancellation requested");
    assertThat(button("Cancel")).isDisabled();
    assertThat(api().get("/jobs/" + job).object().getBoolean("cancellationRequested")).isTrue();
  }

  @Test
  default void discarded_edit_changes_nothing_and_invalid_json_is_refused() {
    long job = discarded();
    open("operator", "jobs/" + job);
    button("Edit and reset").click();
    page().getByLabel("Payload").fill("{\"fail\": ");
    button("Reset with this payload").click();
    assertThat(page().getByLabel("Payload")).hasJSProperty("validity.valid", false);
    assertThat(page().getByLabel("Payload")).hasValue("{\"fail\": ");
    button("Cancel").click();
    assertThat(page().getByLabel("Payload").last()).containsText("\"fail\": 1");
    assertThat(stateOf(job)).isEqualTo("DISCARDED");
  }

  @Test
  default void unsaved_edit_does_not_appear_on_another_job() {
    long first = discarded();
    long second = discarded();
    open("operator", "jobs/" + first);
    button("Edit and reset").click();
    page().getByLabel("Payload").fill("{\"fail\": 7}");
    window().open("#/jobs/" + second);
    assertThat(page().locator("h1")).containsText(Long.toString(second));
    assertThat(page().getByLabel("Payload").last()).containsText("\"fail\": 1");
    assertThat(button("Reset with this payload")).hasCount(0);
  }

  /** Pages that were loaded over plain HTTP have only the old clipboard API. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void payload_is_copied_with_all_its_digits(boolean secure) {
    window().context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
    long job = scheduled("{\"n\":12345678901234567890,\"secure\":" + secure + "}");
    if (!secure) {
      page()
          .addInitScript(
              "Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined})");
    }
    open("viewer", "jobs/" + job);
    button("Copy").click();
    awaitSaid("copied");
    try (Page other = window().context().newPage()) {
      other.navigate(window().uri("icon.svg"));
      other.bringToFront();
      assertThat(other.evaluate("navigator.clipboard.readText()"))
          .isEqualTo("{\n  \"n\": 12345678901234567890,\n  \"secure\": " + secure + "\n}");
    }
  }

  @Test
  default void masked_fields_are_visible_to_operators_only() {
    long job = scheduled(CARD);
    open("viewer", "jobs/" + job);
    Locator payload = page().getByLabel("Payload").last();
    assertThat(payload).containsText("\"number\": \"***\"");
    assertThat(payload).containsText("\"secret\": \"***\"");
    assertThat(payload).containsText("\"sum\": 5");
    assertThat(page().locator("main")).containsText("visible to operators only");
    assertThat(page().locator("main")).not().containsText("hush");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("job-masked");
    assertThat(ask("GET", "jobs/" + job, "").text()).doesNotContain("hush", "1234567890");

    enterAs("operator");
    page().reload();
    assertThat(payload).containsText("\"number\": 12345678901234567890");
    assertThat(payload).containsText("\"secret\": \"hush\"");
    assertThat(page().locator("main")).not().containsText("visible to operators only");
  }

  @Test
  default void times_of_a_job_are_exact_and_in_the_local_zone() {
    long job = scheduled("{}");
    open("viewer", "jobs/" + job);
    Locator time = page().locator(".timeline time").first();
    String moment = api().get("/jobs/" + job).object().getString("enqueuedAt");
    assertThat(time).hasAttribute("datetime", moment);
    assertThat(time)
        .containsText(
            DateTimeFormatter.ofPattern("HH:mm:ss")
                .withZone(ZoneId.of("Europe/Berlin"))
                .format(Instant.parse(moment)));
    assertThat(time)
        .hasAttribute(
            "title", java.util.regex.Pattern.compile(".*\\(" + moment.substring(0, 19) + ".*Z\\)"));
  }

  @Test
  default void stack_trace_can_be_copied() {
    window().context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
    open("viewer", "jobs/" + discarded());
    button("Copy the stack trace of attempt 1").click();
    awaitSaid("copied");
    assertThat(page().evaluate("navigator.clipboard.readText()").toString())
        .startsWith("java.lang.IllegalStateException");
  }

  @Test
  default void back_link_leads_to_the_search_from_which_the_job_was_opened() {
    long job = scheduled("{}");
    open("viewer", "jobs?q=queue:acted-on&state=SCHEDULED");
    row(Long.toString(job)).getByRole(AriaRole.LINK).click();
    assertThat(page().locator("h1 + .state")).hasText("Scheduled");
    page().locator(".head a.button").click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=queue%3Aacted-on&state=SCHEDULED"));
  }

  @Test
  default void headers_link_to_related_jobs() {
    long job =
        enqueue(
            "acted-on",
            "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\",\"group\":\"account-7\",\"correlationId\":\"order 7\",\"uniqueKey\":\"account-7/1\",\"batch\":\"related\",\"wave\":100}");
    open("viewer", "jobs/" + job);
    Locator headers = page().getByLabel("Headers");
    headers.getByText("order 7").click();
    assertThat(page().locator(".rows .row")).hasCount(1);
    assertThat(page().getByLabel("Search jobs")).hasValue("correlationId:\"order 7\"");
    page().goBack();
    headers.getByText("account-7/1").click();
    assertThat(page().locator(".rows .row")).hasCount(1);
    assertThat(page().getByLabel("Search jobs")).hasValue("uniqueKey:account-7/1");
    page().goBack();
    headers.getByText("account-7", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=group%3Aaccount-7"));
    assertThat(page().locator(".rows .row")).hasCount(1);
    page().locator(".rows").getByRole(AriaRole.LINK).click();
    headers.getByText("related").click();
    assertThat(page().getByLabel("Wave 100")).isVisible();
    page().goBack();
    headers.getByText("acted-on").click();
    assertThat(page().locator("#settings")).containsText("acted-on");
  }

  @Test
  default void double_click_counts_as_one_click() {
    long job = discarded();
    open("operator", "jobs/" + job);
    button("Reset").dblclick();
    assertThat(page().locator("h1 + .state")).hasText("Completed");
    assertThat(page().locator(".toast.bad")).hasCount(0);

    go("schedules");
    int before = runs();
    row("report").getByText("Run now").dblclick();
    awaitSaid("report: job created");
    page().waitForCondition(() -> runs() > before);
    assertThat(runs()).isEqualTo(before + 1);
  }

  private int runs() {
    return api().get("/schedules/report/runs").object().getJsonArray("runs").size();
  }
}
