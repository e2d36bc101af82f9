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
    page().getByLabel("At").fill("30 2 * * *");
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
  default void refused_schedule_says_why() {
    window().expectFault("status of 4");
    open("admin", "schedules");
    button("New schedule").click();
    page().getByLabel("Name").fill("never");
    page().getByLabel("At").fill("61 2 * * *");
    page().getByLabel("Type").fill("readpast.ping");
    button("Save").click();
    assertThat(page().locator(".toast.bad")).containsText("61");
    assertThat(page().getByLabel("At")).hasValue("61 2 * * *");
  }
}
