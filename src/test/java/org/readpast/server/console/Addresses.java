package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/**
 * Tests that every view has an address that can be shared, and that the Back button leaves the
 * view.
 */
interface Addresses extends Console {
  /** Contains the addresses, each with an element that identifies its page. */
  Map<String, String> PAGES =
      Map.ofEntries(
          Map.entry("overview?span=PT1H", "h1:text-is('Overview')"),
          Map.entry(
              "jobs?q=queue:mail&state=DISCARDED", ".states a[aria-current]:has-text('Discarded')"),
          Map.entry("jobs/1", "h1:has-text('Job 1')"),
          Map.entry("queues?queue=mail", "#settings:has-text('mail')"),
          Map.entry("batches", "h1:text-is('Batches')"),
          Map.entry("batches/year-end", "section[aria-label='Wave 100']"),
          Map.entry("schedules", "h1:text-is('Schedules and rules')"),
          Map.entry("schedules/report", "#plan"),
          Map.entry("nodes", "h1:text-is('Nodes')"),
          Map.entry("audit?action=queue", "h1:text-is('Audit')"),
          Map.entry("about", "h1:text-is('About')"));

  @Test
  default void every_address_opens_its_page_and_back_returns_to_the_previous_one() {
    enterAs("viewer");
    List<String> paths = PAGES.keySet().stream().sorted().toList();
    for (String path : paths) {
      window().open("#/" + path);
      assertThat(page().locator(PAGES.get(path))).isVisible();
    }
    for (int i = paths.size() - 1; i >= 0; i--) {
      String path = paths.get(i);
      assertThat(page()).hasURL(window().uri("#/" + path));
      assertThat(page().locator(PAGES.get(path))).isVisible();
      awaitLoaded();
      page().goBack();
    }
  }

  @Test
  default void address_opened_again_shows_the_same_page() {
    enterAs("viewer");
    for (String path : List.of("batches/year-end", "schedules/report", "jobs/1")) {
      page().navigate("about:blank");
      window().open("#/" + path);
      assertThat(page().locator(PAGES.get(path))).isVisible();
    }
  }

  /** The page of an entry is the first page of the window, so the list was not shown before. */
  @Test
  default void list_is_reached_from_the_address_of_one_entry() {
    enterAs("viewer");
    for (String path : List.of("batches/year-end", "schedules/report")) {
      page().navigate("about:blank");
      window().open("#/" + path);
      assertThat(page().locator(PAGES.get(path))).isVisible();
      page().locator(".head a.button").click();
      assertThat(row(path.substring(path.indexOf('/') + 1))).isVisible();
      assertThat(window().faults()).isEmpty();
    }
  }

  @Test
  default void late_page_does_not_replace_a_page_that_was_requested_later() {
    Queue<Route> held = new ArrayDeque<>();
    page().route("**/pages/jobs.js", held::add);
    open("viewer", "nodes");
    page().keyboard().type("gj");
    page().waitForCondition(() -> !held.isEmpty());
    page().goBack();
    page().keyboard().type("ga");
    assertThat(heading("Audit")).isVisible();
    page().waitForResponse("**/pages/jobs.js", () -> held.remove().resume());
    page().evaluate("import('./console/pages/jobs.js').then(() => 0)");
    assertThat(heading("Audit")).isVisible();
  }

  @Test
  default void absent_object_is_reported() {
    window().expectFault("status of 404");
    enterAs("viewer");
    for (String path :
        List.of(
            "jobs/999999999", "jobs/%", "batches/none-such", "batches/%", "schedules/none-such")) {
      window().open("#/" + path);
      assertThat(page().locator("main").getByRole(AriaRole.ALERT)).isVisible();
      assertThat(page().locator(".skeleton:visible")).hasCount(0);
      assertThat(page().locator("h1")).containsText(path.substring(path.indexOf('/') + 1));
    }
    window().open("#/nothing-like-that");
    assertThat(heading("Page not found")).isVisible();
    assertThat(page()).hasTitle("Page not found · Readpast");
    assertThat(page().locator(".side [aria-current]")).hasCount(0);
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("page-not-found");
    page().locator("main a.button").click();
    assertThat(heading("Overview")).isVisible();
  }

  @Test
  default void slash_key_opens_the_search_from_pages_without_a_search() {
    open("viewer", "nodes");
    page().keyboard().press("/");
    assertThat(heading("Jobs")).isVisible();
    assertThat(page().locator("[data-search]")).isFocused();
    // In an input field, the keys of shortcuts are letters.
    page().keyboard().type("g?n");
    assertThat(page().locator("[data-search]")).hasValue("g?n");
    assertThat(heading("Keyboard shortcuts")).isHidden();
  }

  @Test
  default void keyboard_reaches_suggestions_the_page_and_the_sheet() {
    open("viewer", "jobs");
    page().getByLabel("Search jobs").fill("sta");
    Locator hints = page().getByRole(AriaRole.OPTION);
    assertThat(hints).hasText(new String[] {"state:"});
    assertThat(page().getByLabel("Search jobs")).hasAttribute("aria-expanded", "true");
    page().keyboard().press("Escape");
    assertThat(hints).hasCount(0);
    assertThat(page().getByLabel("Search jobs")).hasValue("sta");

    page().getByLabel("Search jobs").fill("a");
    assertThat(hints).hasCount(2);
    page().keyboard().press("ArrowDown");
    page().keyboard().press("ArrowDown");
    assertThat(hints.last()).hasAttribute("aria-selected", "true");
    page().keyboard().press("ArrowUp");
    assertThat(page().getByLabel("Search jobs"))
        .hasAttribute("aria-activedescendant", "suggestion-0");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("jobs-suggestions");
    page().keyboard().press("Enter");
    assertThat(page().getByLabel("Search jobs")).hasValue("age>");
    assertThat(page().getByLabel("Search jobs")).isFocused();
    page().getByText("Skip to content").press("Enter");
    assertThat(page().locator("main")).isFocused();
    button("Shortcuts").click();
    assertThat(heading("Keyboard shortcuts")).isVisible();
    button("Close").click();
    assertThat(heading("Keyboard shortcuts")).isHidden();
  }

  @Test
  default void window_title_names_the_shown_object() {
    enterAs("viewer");
    Map.of(
            "nodes", "Nodes · Readpast",
            "jobs/1", "1 · Jobs · Readpast",
            "batches/year-end", "year-end · Batches · Readpast",
            "schedules/report", "report · Schedules · Readpast",
            "queues?queue=mail", "mail · Queues · Readpast")
        .forEach(
            (path, title) -> {
              window().open("#/" + path);
              assertThat(page()).hasTitle(title);
            });
  }

  @Test
  default void every_page_is_reachable_on_a_phone() {
    page().setViewportSize(EveryPage.PHONE_WIDTH, EveryPage.PHONE_HEIGHT);
    open("viewer", "overview");
    Locator audit = page().locator(".side").getByText("Audit");
    assertThat(audit).isHidden();
    button("More").click();
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("phone-more");
    audit.click();
    assertThat(heading("Audit")).isVisible();
    assertThat(audit).isHidden();
    window().screenshot("phone-audit");
  }
}
