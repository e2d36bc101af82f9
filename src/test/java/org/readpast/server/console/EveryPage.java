package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for all pages alike. */
interface EveryPage extends Console {
  int PHONE_WIDTH = 390;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "overview",
        "jobs",
        "jobs/1",
        "queues?queue=mail",
        "batches",
        "batches/year-end",
        "schedules",
        "schedules/report",
        "nodes",
        "audit",
        "about"
      })
  default void page_is_accessible_in_both_themes_and_fits_a_phone(String path) {
    open("admin", path);
    look(path.replaceAll("\\W", "-"));
  }

  /** So that pages have something to show; the first job has failed. */
  default void fill() {
    enqueue("mail", "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":1},\"maxAttempts\":1}");
    enqueue(
        "mail",
        """
        [{"type":"readpast.ping","payload":{},"delay":"PT1H","ref":"first","batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{"fail":1},"maxAttempts":1,"batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{},"after":["first"],"batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{},"batch":"year-end","wave":200,"properties":{"tenant":"acme"}}]""");
    assertThat(
            api()
                .send(
                    "PUT",
                    "/schedules/report",
                    """
                    {"cron":"0 2 * * MON-FRI","zone":"Europe/Berlin","type":"readpast.ping","queue":"mail","payload":{}}""")
                .status())
        .isLessThan(300);
    assertThat(api().post("/schedules/report/runs", "").status()).isLessThan(300);
  }

  /** In both themes and on a phone. */
  default void look(String name) {
    assertThat(window().accessibilityFaults()).as("light").isEmpty();
    window().screenshot(name + "-light");
    window().dark(true);
    assertThat(window().accessibilityFaults()).as("dark").isEmpty();
    window().screenshot(name + "-dark");
    page().setViewportSize(PHONE_WIDTH, 844);
    window().screenshot(name + "-phone-dark");
    window().dark(false);
    window().screenshot(name + "-phone-light");
    assertThat(page().evaluate("document.documentElement.scrollWidth")).isEqualTo(PHONE_WIDTH);
  }

  @Test
  default void keys_go_to_every_page_and_a_sheet_tells_them() {
    open("viewer", "overview");
    page().keyboard().press("?");
    assertThat(heading("Keyboard shortcuts")).isVisible();
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("shortcuts");
    page().keyboard().press("Escape");
    assertThat(heading("Keyboard shortcuts")).isHidden();

    for (String one : List.of("j Jobs", "q Queues", "b Batches", "n Nodes", "a Audit", "i About")) {
      page().keyboard().press("g");
      page().keyboard().press(one.substring(0, 1));
      assertThat(heading(one.substring(2))).isVisible();
    }
    page().goBack();
    assertThat(heading("Audit")).isVisible();
    page().keyboard().press("/");
    assertThat(page().locator("[data-search]")).isFocused();
  }

  @Test
  default void theme_that_was_chosen_stays_after_a_reload() {
    open("viewer", "nodes");
    button("Theme: system").click();
    assertThat(button("Theme: light")).isVisible();
    button("Theme: light").click();
    assertThat(button("Theme: dark")).isVisible();
    page().reload();
    assertThat(heading("Nodes")).isVisible();
    assertThat(page().locator("html")).hasAttribute("data-theme", "dark");
    assertThat(page().locator("body")).hasCSS("color-scheme", "dark");
  }

  @Test
  default void viewer_sees_no_button_that_acts() {
    long job = enqueue("seen", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("viewer", "queues?queue=seen");
    assertThat(heading("seen")).isVisible();
    assertThat(page().locator("#concurrency-slider")).isDisabled();
    for (String action : List.of("Pause", "Resume", "Purge")) {
      assertThat(button(action)).hasCount(0);
    }
    go("jobs/" + job);
    for (String action : List.of("Cancel", "Run now", "Reset", "Edit")) {
      assertThat(button(action)).hasCount(0);
    }
    go("schedules");
    assertThat(button("New schedule")).hasCount(0);
    go("nodes");
    assertThat(button("Drain")).hasCount(0);
    assertThat(page().getByRole(AriaRole.NAVIGATION)).isVisible();
  }
}
