package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;

/** Tests that batches are sealed, resumed and cancelled, and get callbacks. */
interface BatchPages extends Console {

  private String stateOfBatch(String name) {
    return api().get("/batches/" + name).object().getString("state");
  }

  private void awaitState(String name) {
    assertThat(page().locator("h1 + .state")).hasText(name);
  }

  @Test
  default void sealed_batch_is_finished_by_its_last_job() {
    enqueue(
        "batched",
        "{\"type\":\"readpast.ping\",\"payload\":{},\"batch\":\"year/closing\",\"wave\":100}");
    open("operator", "batches/year%2Fclosing");
    assertThat(page().getByLabel("Wave 100")).isVisible();
    button("Seal").click();
    assertThat(page().locator("dialog[open]")).containsText("No more jobs can be added");
    confirm("Cancel");
    assertThat(stateOfBatch("year/closing")).isEqualTo("OPEN");

    button("Seal").click();
    confirm("Seal");
    awaitSaid("sealed");
    awaitState("finished");
    assertThat(button("Seal")).hasCount(0);
    assertThat(button("Cancel")).hasCount(0);
    assertThat(stateOfBatch("year/closing")).isEqualTo("FINISHED");
  }

  @Test
  default void held_wave_starts_after_the_failed_job_is_skipped() {
    enqueue(
        "batched",
        """
        [{"type":"readpast.ping","payload":{"fail":9},"maxAttempts":1,"batch":"stuck","wave":100},
         {"type":"readpast.ping","payload":{},"batch":"stuck","wave":200}]""");
    open("operator", "batches/stuck");
    awaitState("held");
    assertThat(page().getByLabel("Wave 100")).containsText("blocks later waves");
    assertThat(page().getByLabel("Wave 200")).containsText("waiting");
    button("Skip").click();
    assertThat(page().locator("dialog[open]")).containsText("These jobs stay discarded");
    assertThat(window().accessibilityFaults()).isEmpty();
    confirm("Skip");
    awaitSaid("Batch continues");
    Locator completed = page().getByLabel("Wave 200").getByText("completed");
    assertThat(completed).isVisible();
    assertThat(button("Skip")).hasCount(0);
    assertThat(page().getByLabel("Wave 100")).containsText("discarded");
  }

  @Test
  default void discarded_jobs_of_a_batch_are_reset() {
    enqueue(
        "batched",
        Console.pings(2, "\"payload\":{\"fail\":1},\"maxAttempts\":1,\"batch\":\"tried again\""));
    open("operator", "batches/tried%20again");
    assertThat(page().getByLabel("Wave 0").getByText("discarded")).isVisible();
    button("Reset discarded jobs").click();
    assertThat(window().accessibilityFaults()).isEmpty();
    confirm("Reset");
    awaitSaid("2 of 2 jobs reset");
    assertThat(page().getByLabel("Wave 0").getByText("completed")).isVisible();
    assertThat(button("Reset discarded jobs")).hasCount(0);
  }

  @Test
  default void held_batch_resumes_after_its_release() {
    enqueue(
        "batched",
        """
        [{"type":"readpast.ping","payload":{},"delay":"PT1H","batch":"paused","wave":100},
         {"type":"readpast.ping","payload":{},"batch":"paused","wave":200}]""");
    open("operator", "batches/paused");
    button("Hold").click();
    assertThat(page().locator("dialog[open]")).containsText("until the batch is released");
    confirm("Hold");
    awaitSaid("Batch held");
    awaitState("held");
    assertThat(page().getByLabel("Wave 200")).containsText("an operator put the batch on hold");
    assertThat(window().accessibilityFaults()).isEmpty();
    go("overview");
    assertThat(page().getByText("held by an operator")).isVisible();

    go("batches/paused");
    button("Release").click();
    confirm("Release");
    awaitSaid("Batch released");
    awaitState("open");
    assertThat(button("Hold")).isVisible();
  }

  @Test
  default void cancelled_batch_starts_no_more_jobs() {
    enqueue(
        "batched",
        Console.pings(3, "\"payload\":{},\"delay\":\"PT1H\",\"batch\":\"given-up\",\"wave\":100"));
    open("operator", "batches/given-up");
    button("Cancel").click();
    confirm("Cancel batch");
    awaitSaid("Batch is being cancelled");
    Locator cancelled = page().getByLabel("Wave 100").getByText("cancelled");
    assertThat(cancelled).isVisible();
    assertThat(button("Cancel")).hasCount(0);
    assertThat(count("batched", "CANCELLED")).isEqualTo(3);
  }

  @Test
  default void callback_has_the_payload_that_the_user_typed() {
    enqueue(
        "batched",
        "{\"type\":\"readpast.ping\",\"payload\":{},\"batch\":\"followed\",\"wave\":100}");
    open("operator", "batches/followed");
    Locator form =
        page()
            .locator(
                "section",
                new com.microsoft.playwright.Page.LocatorOptions().setHas(heading("Callbacks")));
    form.getByLabel("On").selectOption("finish");
    form.getByLabel("Type").fill("readpast.ping");
    form.getByLabel("Queue").fill("followers");
    form.getByLabel("Payload").fill("{\"n\": 12345678901234567890");
    button("Add callback").click();
    assertThat(form.getByLabel("Payload")).hasJSProperty("validity.valid", false);
    assertThat(form.getByText("None.")).isVisible();
    form.getByLabel("Payload").fill("{\"n\": 12345678901234567890}");
    assertThat(window().accessibilityFaults()).isEmpty();
    button("Add callback").click();
    awaitSaid("Callback added");
    assertThat(row("finish")).containsText("readpast.ping");
    assertThat(form.getByLabel("Type")).hasValue("");

    button("Seal").click();
    confirm("Seal");
    Locator job = row("finish").getByRole(AriaRole.LINK);
    assertThat(job).isVisible();
    window().screenshot("batch-callbacks");
    job.click();
    assertThat(page().getByLabel("Payload").last()).containsText("12345678901234567890");
  }

  @Test
  default void refused_callback_shows_the_reason_and_stays_editable() {
    window().expectFault("status of 400");
    enqueue(
        "batched",
        "{\"type\":\"readpast.ping\",\"payload\":{},\"batch\":\"refusing\",\"wave\":100}");
    open("operator", "batches/refusing");
    page().getByLabel("Type").fill("no good type!");
    page().getByLabel("Queue").fill("followers");
    button("Add callback").click();
    assertThat(page().locator(".toast.bad")).containsText("no good type!");
    assertThat(page().getByLabel("Type")).hasValue("no good type!");
  }

  @Test
  default void numbers_of_a_wave_link_to_its_jobs() {
    enqueue(
        "batched",
        Console.pings(2, "\"payload\":{},\"delay\":\"PT1H\",\"batch\":\"counted\",\"wave\":100"));
    open("viewer", "batches");
    row("counted").getByRole(AriaRole.LINK).click();
    page().getByLabel("Wave 100").getByText("scheduled").click();
    assertThat(page().locator(".rows .row")).hasCount(2);
    assertThat(page().locator(".states [aria-current]")).containsText("Scheduled");
    page().goBack();
    assertThat(page().getByLabel("Wave 100")).isVisible();
    Await.until(JobPages.SOON, () -> "OPEN".equals(stateOfBatch("counted")));
  }

  @Test
  default void page_of_an_absent_batch_shows_nothing_of_the_previous_batch() {
    window().expectFault("status of 404");
    open("operator", "batches/year-end");
    assertThat(page().getByLabel("Wave 100")).isVisible();
    window().open("#/batches/nosuch");
    assertThat(page().locator("main [role=alert]")).isVisible();
    assertThat(page().getByLabel("Wave 100")).hasCount(0);
    assertThat(button("Seal")).hasCount(0);
  }

  @Test
  default void batch_names_that_need_quotes_link_to_their_jobs() {
    long job =
        enqueue(
            "batched",
            """
            {"type":"readpast.ping","payload":{},"delay":"PT1H","group":"a b \\"q\\" \\\\","batch":"two words","wave":100}""");
    open("viewer", "batches/two%20words");
    page().getByLabel("Wave 100").getByText("scheduled").click();
    assertThat(row(Long.toString(job))).isVisible();
    page().locator(".rows").getByRole(AriaRole.LINK).click();
    page().getByLabel("Headers").getByText("a b \"q\" \\").click();
    assertThat(row(Long.toString(job))).isVisible();
    assertThat(page().locator(".rows .row")).hasCount(1);
  }
}
