package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Schedules are made, read in words, tried and taken away. */
interface SchedulePages extends Console {

  @Test
  default void schedule_is_made_tried_disabled_and_deleted() {
    open("admin", "schedules");
    button("New schedule").click();
    page().getByLabel("Name").fill("nightly");
    field("At").fill("30 2 * * *");
    page().getByLabel("Zone").fill("Europe/Berlin");
    page().getByLabel("Type").fill("readpast.ping");
    page().getByLabel("Queue").fill("nights");
    page().getByLabel("Payload").fill("{}");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("schedule-form");
    button("Save").click();
    assertThat(heading("At 02:30, every day")).isVisible();
    assertThat(page().locator("ol.plain li")).hasCount(5);
    assertThat(page().getByText("It has not fired yet.")).isVisible();

    go("schedules");
    row("nightly").getByText("Run now").click();
    awaitSaid("nightly: a job has come");
    page().getByLabel("nightly is enabled").click();
    awaitSaid("nightly is disabled");
    go("schedules/nightly");
    assertThat(page().locator("main")).containsText("by hand");
    window().screenshot("schedule");

    button("Delete").click();
    confirm("Delete");
    assertThat(heading("Schedules and rules")).isVisible();
    assertThat(page().getByText("nightly")).hasCount(0);
    assertThat(api().get("/schedules/nightly").status()).isEqualTo(404);
  }

  @Test
  default void what_is_not_edited_of_a_schedule_stays() {
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
  default void rule_is_made_filled_and_edited() {
    open("admin", "schedules");
    button("New rule").click();
    field("Name").fill("numbers");
    field("Type").fill("readpast.ping");
    field("Queue").fill("ruled");
    field("Search").fill("select 1 as \"n\"");
    assertThat(window().accessibilityFaults()).isEmpty();
    button("Save").click();
    row("numbers").getByText("Fill now").click();
    awaitSaid("numbers: a job has come");
    row("numbers").getByText("Edit").click();
    field("Priority").fill("9");
    button("Save").click();
    awaitSaid("saved");
    assertThat(api().get("/rules/numbers").object().getInt("priority")).isEqualTo(9);
  }

  @Test
  default void refused_schedule_says_why() {
    window().expectFault("status of 4");
    open("admin", "schedules");
    button("New schedule").click();
    page().getByLabel("Name").fill("never");
    field("At").fill("61 2 * * *");
    page().getByLabel("Type").fill("readpast.ping");
    button("Save").click();
    assertThat(page().locator(".toast.bad")).containsText("61");
    assertThat(field("At")).hasValue("61 2 * * *");
  }
}
