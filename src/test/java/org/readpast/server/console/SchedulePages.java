package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;

/** Tests that schedules are created, described in words, run and deleted. */
interface SchedulePages extends Console {

  @Test
  default void schedule_is_created_run_disabled_and_deleted() {
    open("admin", "schedules");
    button("New schedule").click();
    page().getByLabel("Name").fill("nightly");
    field("At").fill("30 2 * * *");
    page().getByLabel("Time zone").fill("Europe/Berlin");
    page().getByLabel("Type").fill("readpast.ping");
    page().getByLabel("Queue").fill("nights");
    page().getByLabel("Payload").fill("{}");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("schedule-form");
    button("Save").click();
    assertThat(heading("At 02:30, every day")).isVisible();
    assertThat(page().locator("ol.plain li")).hasCount(5);
    assertThat(page().getByText("No runs yet.")).isVisible();

    go("schedules");
    row("nightly").getByText("Run now").click();
    awaitSaid("nightly: job created");
    page().getByLabel("nightly is enabled").click();
    awaitSaid("nightly disabled");
    go("schedules/nightly");
    assertThat(page().locator("main")).containsText("manual");
    window().screenshot("schedule");

    button("Delete").click();
    confirm("Delete");
    assertThat(heading("Schedules and rules")).isVisible();
    assertThat(page().getByText("nightly")).hasCount(0);
    assertThat(api().get("/schedules/nightly").status()).isEqualTo(404);
  }

  @Test
  default void unedited_fields_of_a_schedule_stay() {
    var made =
        api()
            .send(
                "PUT",
                "/schedules/kept",
                "{\"cron\":\"0 1 * * *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"priority\":7,"
                    + "\"overlap\":\"SKIP\",\"payload\":{\"n\":90071992547409931}}");
    assertThat(made.status()).as("%s", made.body()).isIn(200, 201);
    open("admin", "schedules/kept");
    button("Edit").click();
    field("At").fill("0 2 * * *");
    button("Save").click();
    assertThat(heading("At 02:00, every day")).isVisible();
    assertThat(api().get("/schedules/kept").body().toString())
        .contains("90071992547409931", "\"priority\":7", "\"overlap\":\"SKIP\"");
  }

  @Test
  default void schedule_shows_its_settings_and_why_a_run_failed() {
    put(
        "/schedules/failing",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"priority\":7,"
            + "\"catchUp\":\"ALL\",\"overlap\":\"SKIP\",\"latestStart\":\"PT2H\",\"payload\":{\"fail\":1}}");
    open("admin", "schedules/failing");
    for (String text :
        List.of(
            "one job for each missed run, at most 100", "skip the run", "2 h after the planned")) {
      assertThat(page().locator("aside")).containsText(text);
    }
    assertThat(page().locator("aside .facts")).containsText("7");
    assertThat(page().getByLabel("Payload")).containsText("\"fail\": 1");
    button("Run now").click();
    awaitSaid("failing: job created");
    assertThat(row("manual")).containsText("attempt 1 of 1 attempts that fail on request");
    // The second attempt succeeds.
    assertThat(row("manual")).containsText("Completed");
    assertThat(row("manual").locator("td.number"))
        .hasText(
            new Pattern[] {Pattern.compile("\\d+ .*"), Pattern.compile("2"), Pattern.compile("1")});
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("schedule-failed");
    page().getByLabel("failing is enabled").click();
    awaitSaid("failing disabled");
    assertThat(page().locator("aside")).containsText("None: the schedule is disabled.");
    assertThat(api().get("/schedules/failing").object().getBoolean("enabled")).isFalse();
  }

  @Test
  default void list_of_schedules_shows_the_outcomes_of_the_last_runs() {
    put(
        "/schedules/remembered",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"payload\":{}}");
    long job = enqueue("nights", Console.pings(1, "\"payload\":{\"fail\":1},\"maxAttempts\":1"));
    Await.until(JobPages.SOON, () -> "DISCARDED".equals(stateOf(job)));
    database()
        .execute(
            """
            insert into readpast_schedule_run (schedule, planned_at, job_id, skipped) values
              ('remembered', now() - interval '3 days', %d, null), ('remembered', now() - interval '2 days', null, 'OVERLAP')"""
                .formatted(job));
    open("operator", "schedules");
    Locator runs = row("remembered").locator(".runs > *");
    assertThat(runs).hasCount(2);
    assertThat(runs.nth(0)).hasAttribute("aria-label", Pattern.compile(".+: discarded"));
    assertThat(runs.nth(1))
        .hasAttribute(
            "aria-label", Pattern.compile(".+: skipped, the previous job was still live"));
    row("remembered").getByText("Run now").click();
    awaitSaid("remembered: job created");
    assertThat(runs).hasCount(3);
    assertThat(runs.nth(2)).hasAttribute("aria-label", Pattern.compile(".+: completed"));
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("schedules-last-runs");
    runs.nth(0).click();
    assertThat(page()).hasURL(window().uri("#/jobs/" + job));
  }

  @Test
  default void rule_is_created_filled_and_edited() {
    open("admin", "schedules");
    button("New rule").click();
    field("Name").fill("numbers");
    field("Type").fill("readpast.ping");
    field("Queue").fill("ruled");
    field("Search").fill("select 1 as \"n\"");
    assertThat(window().accessibilityFaults()).isEmpty();
    button("Save").click();
    row("numbers").getByText("Run now").click();
    awaitSaid("numbers: job created");
    button("History of numbers").click();
    Locator runs = page().getByLabel("Runs of numbers");
    assertThat(runs).containsText("completed");
    assertThat(runs.locator("tbody tr")).hasCount(1);
    assertThat(window().accessibilityFaults()).isEmpty();
    button("History of numbers").click();
    assertThat(runs).hasCount(0);
    row("numbers").getByText("Edit").click();
    field("Priority").fill("9");
    button("Save").click();
    Await.until(JobPages.SOON, () -> api().get("/rules/numbers").object().getInt("priority") == 9);
    button("Delete numbers").click();
    confirm("Delete");
    awaitSaid("numbers deleted");
    assertThat(api().get("/rules/numbers").status()).isEqualTo(404);
  }

  @Test
  default void failure_of_a_rule_is_readable_and_links_to_its_job() {
    put(
        "/rules/dividing",
        "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 1 / (random() * 0)::int as \\\"n\\\"\"}");
    open("operator", "schedules");
    row("dividing").getByText("Run now").click();
    Locator error = page().getByText("The last run of dividing failed");
    assertThat(error).containsText("division by zero");
    page().setViewportSize(1024, 800);
    assertThat((List<?>) page().evaluate(EveryPage.TOO_WIDE)).isEmpty();
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("rule-failed");
    row("dividing").locator("time").click();
    assertThat(page().locator("h1")).containsText("Job");
    assertThat(page().getByLabel("Headers")).containsText("readpast.");
  }

  @Test
  default void switch_returns_to_its_position_after_a_refusal() {
    window().expectFault("status of 409");
    put(
        "/rules/refused",
        "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 1 as \\\"n\\\"\"}");
    open("admin", "schedules");
    page()
        .route(
            "**/api/rules/refused",
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setStatus(409)
                        .setContentType("application/problem+json")
                        .setBody("{\"status\":409,\"detail\":\"not now\"}")));
    Locator box = page().getByLabel("refused is enabled");
    assertThat(box).isChecked();
    box.click();
    assertThat(page().locator(".toast.bad")).containsText("not now");
    assertThat(box).isChecked();
  }

  @Test
  default void edit_keeps_a_concurrent_switch_by_another_user() {
    put(
        "/schedules/stopped",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"zone\":\"Z\"}");
    put(
        "/rules/halted",
        "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 2 as \\\"n\\\"\",\"schedule\":\"0 3 1 1 *\"}");
    for (String one : List.of("schedules/stopped", "rules/halted")) {
      boolean rule = one.startsWith("rules");
      if (rule) {
        go("schedules");
      } else {
        open("admin", one);
      }
      if (rule) {
        row("select 2").getByText("Edit").click();
      } else {
        button("Edit").click();
      }
      assertThat(api().send("PATCH", "/" + one, "{\"enabled\":false}").status()).isEqualTo(200);
      field("Priority").fill("8");
      if (rule) {
        field("Schedule").fill("");
        field("Queue").fill("");
      }
      button("Save").click();
      Await.until(JobPages.SOON, () -> api().get("/" + one).object().getInt("priority") == 8);
      assertThat(api().get("/" + one).object().getBoolean("enabled")).isFalse();
    }
    assertThat(api().get("/rules/halted").object().containsKey("schedule")).isFalse();
    assertThat(api().get("/rules/halted").object().getString("queue")).isEqualTo("default");
  }

  @Test
  default void saving_does_not_navigate_away_from_another_page() {
    put(
        "/schedules/left",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"zone\":\"Z\"}");
    open("admin", "schedules/left");
    button("Edit").click();
    goOnAnswer("PUT", "queues");
    button("Save").click();
    awaitSaid("Schedule saved");
    assertThat(heading("Queues")).isVisible();
    go("schedules/left");
    goOnAnswer("DELETE", "queues");
    button("Delete").click();
    confirm("Delete");
    awaitSaid("deleted");
    assertThat(heading("Queues")).isVisible();
    assertThat(api().get("/schedules/left").status()).isEqualTo(404);
  }

  @Test
  default void refused_schedule_shows_the_reason() {
    window().expectFault("status of 4");
    page().clock().install();
    open("admin", "schedules");
    button("New schedule").click();
    page().getByLabel("Name").fill("never");
    field("At").fill("61 2 * * *");
    page().getByLabel("Type").fill("readpast.ping");
    button("Save").click();
    assertThat(page().locator(".toast.bad")).containsText("61");
    assertThat(field("At")).hasValue("61 2 * * *");
    page().clock().fastForward(60_000);
    assertThat(page().locator("#announcements").getByRole(AriaRole.ALERT)).containsText("61");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("failure");
    button("Dismiss").click();
    assertThat(page().locator(".toast.bad")).hasCount(0);
  }

  @Test
  default void planned_times_are_shown_in_the_local_zone_and_the_zone_of_the_schedule() {
    assertThat(
            api()
                .send(
                    "PUT",
                    "/schedules/overseas",
                    "{\"daily\":\"12:00\",\"zone\":\"America/New_York\",\"type\":\"readpast.ping\",\"queue\":\"nights\"}")
                .status())
        .isLessThan(300);
    open("viewer", "schedules/overseas");
    assertThat(heading("Every day at 12:00")).isVisible();
    Locator first = page().locator("ol.plain li").first();
    Locator time = first.locator("time");
    var moment = Instant.parse(time.getAttribute("datetime"));
    assertThat(moment.atZone(ZoneId.of("America/New_York")).toLocalTime()).isEqualTo("12:00");
    assertThat(time)
        .containsText(
            DateTimeFormatter.ofPattern("HH:mm:ss")
                .withZone(ZoneId.of("Europe/Berlin"))
                .format(moment));
    assertThat(first).containsText("12:00 in America/New_York");
    assertThat(time).hasAttribute("title", Pattern.compile(".*T1[67]:00:00\\.000Z\\)"));
  }

  @Test
  default void operator_runs_schedules_and_rules_but_cannot_edit_them() {
    put(
        "/schedules/tried",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\"}");
    put(
        "/rules/tried",
        "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 1 as \\\"n\\\"\"}");
    open("operator", "schedules");
    assertThat(page().getByLabel("tried is enabled").first()).isDisabled();
    assertThat(page().getByLabel("tried is enabled").last()).isDisabled();
    for (String action : List.of("New schedule", "New rule", "Edit")) {
      assertThat(button(action)).hasCount(0);
    }
    row("tried").getByText("Run now").click();
    awaitSaid("tried: job created");
    go("schedules/tried");
    assertThat(page().locator("main")).containsText("manual");
    for (String action : List.of("Edit", "Delete")) {
      assertThat(button(action)).hasCount(0);
    }
  }

  @Test
  default void rule_is_disabled_and_enabled_again() {
    put(
        "/rules/switched",
        "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 1 as \\\"n\\\"\"}");
    open("admin", "schedules");
    page().getByLabel("switched is enabled").click();
    awaitSaid("switched disabled");
    assertThat(api().get("/rules/switched").object().getBoolean("enabled")).isFalse();
    page().getByLabel("switched is enabled").click();
    awaitSaid("switched enabled");
    assertThat(api().get("/rules/switched").object().getBoolean("enabled")).isTrue();
  }

  @Test
  default void unsaved_edit_of_a_schedule_does_not_appear_on_another_page() {
    put(
        "/schedules/half",
        "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\"}");
    open("admin", "schedules/half");
    button("Edit").click();
    field("At").fill("0 3 * * *");
    page().getByRole(AriaRole.LINK).getByText("Schedules").last().click();
    assertThat(heading("Schedules and rules")).isVisible();
    assertThat(field("At")).hasCount(0);
    button("New schedule").click();
    assertThat(field("At")).hasValue("");
    button("Cancel").click();
    assertThat(field("At")).hasCount(0);
  }

  private void put(String path, String json) {
    var answer = api().send("PUT", path, json);
    assertThat(answer.status()).as("%s", answer.body()).isLessThan(300);
  }

  @Test
  default void typed_values_are_not_saved_under_the_name_of_another_schedule() {
    for (String name : List.of("one", "other")) {
      put(
          "/schedules/" + name,
          "{\"cron\":\"0 1 1 1 *\",\"type\":\"readpast.ping\",\"queue\":\"nights\",\"payload\":{\"of\":\""
              + name
              + "\"}}");
      put(
          "/rules/" + name,
          "{\"type\":\"readpast.ping\",\"queue\":\"nights\",\"search\":\"select 1 as \\\"n\\\"\"}");
    }
    open("admin", "schedules/one");
    button("Edit").click();
    page().getByLabel("Payload").fill("{\"of\":\"typed\"}");
    window().open("#/schedules/other");
    assertThat(heading("other")).isVisible();
    assertThat(button("Save")).hasCount(0);
    button("Edit").click();
    assertThat(field("Name")).hasValue("other");
    assertThat(page().getByLabel("Payload")).hasValue("{\n  \"of\": \"other\"\n}");

    go("schedules");
    Locator rules = page().getByLabel("Rules");
    Locator.FilterOptions named = new Locator.FilterOptions();
    rules.getByRole(AriaRole.ROW).filter(named.setHasText("one")).getByText("Edit").click();
    field("Queue").fill("typed");
    rules.getByRole(AriaRole.ROW).filter(named.setHasText("other")).getByText("Edit").click();
    assertThat(field("Name")).hasValue("other");
    assertThat(field("Queue")).hasValue("nights");
  }
}
