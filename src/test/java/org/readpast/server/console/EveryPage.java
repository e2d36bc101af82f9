package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests requirements that all pages share. */
interface EveryPage extends Console {
  List<String> PATHS =
      List.of(
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
          "about");

  int PHONE_WIDTH = 375;
  int PHONE_HEIGHT = 812;

  /**
   * Returns the elements that do not fit on a phone, except those in a horizontally scrolling
   * element.
   */
  String CUT_OFF =
      """
      () => [...document.querySelectorAll('main :is(h1, h2, button, .button, input, select, a)')]
        .filter((one) => one.checkVisibility() && !one.closest('.scroll, .waves, pre, svg, .row, .hidden'))
        .filter((one) => { const { left, right } = one.getBoundingClientRect(); return left < 0 || right > innerWidth; })
        .map((one) => one.outerHTML.slice(0, 120))""";

  @ParameterizedTest
  @FieldSource("org.readpast.server.console.EveryPage#PATHS")
  default void page_is_accessible_in_both_themes_and_fits_a_phone(String path) {
    open("admin", path);
    look(path.replaceAll("\\W", "-"));
  }

  /** Checks the page in both themes, and in the size of a phone. */
  default void look(String name) {
    assertThat(window().accessibilityFaults()).as("light").isEmpty();
    window().screenshot(name + "-light");
    window().dark(true);
    assertThat(window().accessibilityFaults()).as("dark").isEmpty();
    window().screenshot(name + "-dark");
    page().setViewportSize(PHONE_WIDTH, PHONE_HEIGHT);
    window().screenshot(name + "-phone-dark");
    window().dark(false);
    window().screenshot(name + "-phone-light");
    assertThat(page().evaluate("document.documentElement.scrollWidth")).isEqualTo(PHONE_WIDTH);
    assertThat((List<?>) page().evaluate(CUT_OFF)).isEmpty();
  }

  /** Finds tables, and pages, that are wider than the window. */
  String TOO_WIDE =
      """
      () => [document.documentElement, ...document.querySelectorAll('main .scroll, main .jobs, main .states')]
        .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
        .map((one) => `${one.scrollWidth} > ${one.clientWidth}: ${one.outerHTML.slice(0, 200)}`)""";

  @ParameterizedTest
  @FieldSource("org.readpast.server.console.EveryPage#PATHS")
  default void nothing_is_cut_off_on_small_laptops(String path) {
    for (int width : List.of(1280, 1024)) {
      page().setViewportSize(width, 800);
      open("admin", path);
      assertThat((List<?>) page().evaluate(TOO_WIDE)).as("%s px", width).isEmpty();
      assertThat((List<?>) page().evaluate(CUT_OFF)).as("%s px", width).isEmpty();
      window().screenshot(path.replaceAll("\\W", "-") + "-" + width);
    }
  }

  @Test
  default void keyboard_shortcuts_open_every_page_and_are_listed() {
    open("viewer", "overview");
    page().keyboard().press("?");
    assertThat(heading("Keyboard shortcuts")).isVisible();
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("shortcuts");
    page().keyboard().press("Escape");
    assertThat(heading("Keyboard shortcuts")).isHidden();

    for (String one :
        List.of(
            "o Overview",
            "s Schedules and rules",
            "j Jobs",
            "q Queues",
            "b Batches",
            "n Nodes",
            "i About",
            "a Audit")) {
      page().keyboard().press("g");
      page().keyboard().press(one.substring(0, 1));
      assertThat(heading(one.substring(2))).isVisible();
    }
    page().goBack();
    assertThat(heading("About")).isVisible();
    page().goForward();
    assertThat(heading("Audit")).isVisible();
    page().keyboard().press("/");
    assertThat(page().locator("[data-search]")).isFocused();
  }

  @Test
  default void chosen_theme_stays_after_a_reload() {
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
}
