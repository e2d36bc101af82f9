package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that visible pages update themselves without a reload. */
interface LiveUpdates extends Console {
  /**
   * Disables polling. Pages also poll every five seconds or less often, which would hide a missing
   * event.
   */
  String NOBODY_LOOKS_BY_ITSELF =
      """
      const later = window.setTimeout;
      window.setTimeout = (work, millis, ...more) => (millis >= 5000 ? 0 : later(work, millis, ...more));""";

  /** Makes the page behave as if another tab covered it. */
  String HIDE =
      """
      (hidden) => {
        Object.defineProperty(Document.prototype, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }""";

  @Test
  default void every_page_updates_on_an_event_of_the_server() {
    long job =
        enqueue(
            "told",
            "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\",\"batch\":\"told\",\"wave\":100}");
    enterAs("operator");
    window().context().addInitScript(NOBODY_LOOKS_BY_ITSELF);
    Map<String, Page> pages = new LinkedHashMap<>();
    for (String path :
        List.of("overview", "queues", "jobs?q=queue:told", "jobs/" + job, "batches/told")) {
      Page opened = window().context().newPage();
      opened.navigate(window().uri("#/" + path));
      assertThat(opened.locator("main .skeleton")).hasCount(0);
      assertThat(opened.locator("main h1")).isVisible();
      pages.put(path, opened);
    }
    assertThat(pages.get("batches/told").getByLabel("Wave 100")).not().containsText("completed");
    assertThat(ask("POST", "jobs/" + job + "/run", "{}").status()).isLessThan(300);

    assertThat(pages.get("jobs/" + job).locator("h1 + .state")).hasText("Completed");
    assertThat(pages.get("jobs?q=queue:told").locator(".rows .row")).containsText("Completed");
    assertThat(pages.get("batches/told").getByLabel("Wave 100")).containsText("completed");
    assertThat(ask("PATCH", "queues/told", "{\"paused\":true}").status()).isLessThan(300);
    assertThat(rowOf(pages.get("queues"), "told")).containsText("Paused");
    assertThat(rowOf(pages.get("overview"), "told")).containsText("Paused");
    assertThat(pages.get("overview").locator(".attention")).containsText("told is paused");
    pages.values().forEach(Page::close);
  }

  private static Locator rowOf(Page page, String text) {
    return page.locator("tr", new Page.LocatorOptions().setHasText(text)).first();
  }

  @Test
  default void page_polls_while_the_event_stream_is_unavailable() {
    window().expectFault("api/events");
    page().addInitScript(NOBODY_LOOKS_BY_ITSELF);
    page().route("**/api/events", Route::abort);
    enqueue("asked", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    open("operator", "queues?queue=asked");
    for (boolean paused : List.of(true, false)) {
      assertThat(ask("PATCH", "queues/asked", "{\"paused\":" + paused + "}").status())
          .isLessThan(300);
      assertThat(row("asked")).containsText(paused ? "Paused" : "Active");
    }
  }

  @Test
  default void page_reconnects_when_the_event_stream_is_available_again() {
    window().expectFault("api/events");
    page().clock().install();
    page().route("**/api/events", Route::abort);
    AtomicBoolean refused = new AtomicBoolean();
    page().onRequestFailed(request -> refused.compareAndSet(false, isEvents(request.url())));
    open("viewer", "nodes");
    page().waitForCondition(refused::get);
    AtomicBoolean heard = new AtomicBoolean();
    page().onResponse(answer -> heard.compareAndSet(false, answer.ok() && isEvents(answer.url())));
    page().unroute("**/api/events");
    page()
        .waitForCondition(
            () -> {
              page().clock().fastForward(2_500);
              return heard.get();
            });
  }

  private static boolean isEvents(String url) {
    return url.endsWith("/api/events");
  }

  @Test
  default void hidden_tab_sends_no_requests_until_it_is_visible_again() {
    page().clock().install();
    enqueue("unseen", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    open("operator", "queues?queue=unseen");
    assertThat(row("unseen")).containsText("Active");
    page().evaluate(HIDE, true);
    // An earlier request may still be in progress.
    page().waitForLoadState();
    List<String> asked = new ArrayList<>();
    page().onRequest(request -> asked.add(request.url()));
    assertThat(ask("PATCH", "queues/unseen", "{\"paused\":true}").status()).isLessThan(300);
    page().clock().fastForward(60_000);
    page().clock().fastForward(60_000);
    page().evaluate("0");
    assertThat(asked).isEmpty();
    assertThat(row("unseen")).containsText("Active");

    page().evaluate(HIDE, false);
    assertThat(row("unseen")).containsText("Paused");
    assertThat(asked).anyMatch(url -> url.endsWith("/api/events"));
  }

  @Test
  default void paused_updates_send_no_requests_until_they_are_resumed() {
    page().clock().install();
    enqueue("still", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    for (String path : List.of("overview", "queues?queue=still")) {
      open("operator", path);
      assertThat(row("still")).isVisible();
      button("Pause updates").click();
      awaitSaid("Updates paused");
      assertThat(window().accessibilityFaults()).isEmpty();
      // An earlier request may still be in progress.
      page().waitForLoadState();
      List<String> asked = new ArrayList<>();
      page().onRequest(request -> asked.add(request.url()));
      assertThat(ask("PATCH", "queues/still", "{\"paused\":true}").status()).isLessThan(300);
      page().clock().fastForward(60_000);
      page().clock().fastForward(60_000);
      page().evaluate(HIDE, true);
      page().evaluate(HIDE, false);
      page().evaluate("0");
      assertThat(asked).noneMatch(url -> url.contains("/api/") && !isEvents(url));
      assertThat(row("still")).not().containsText("Paused");
      window().screenshot("updates-paused");
      page().keyboard().press("p");
      awaitSaid("Updates resumed");
      assertThat(row("still")).containsText("Paused");
      assertThat(ask("PATCH", "queues/still", "{\"paused\":false}").status()).isLessThan(300);
    }
  }

  @Test
  default void page_that_is_opened_or_changed_while_updates_are_paused_is_loaded() {
    enqueue("still", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    open("operator", "nodes");
    page().keyboard().press("p");
    awaitSaid("Updates paused");
    window().open("#/queues");
    row("still").getByText("Pause").click();
    assertThat(row("still")).containsText("Paused");
    row("still").getByText("Resume").click();
    assertThat(row("still")).containsText("Active");
  }

  @Test
  default void server_error_is_shown_until_the_server_responds_again() {
    window().expectFault("api/queues");
    enqueue("flaky", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    enterAs("viewer");
    page().route("**/api/queues", Route::abort);
    window().open("#/queues");
    assertThat(page().locator("main [role=alert]")).containsText("It may be restarting");
    page().unroute("**/api/queues");
    button("Try again").click();
    assertThat(row("flaky")).isVisible();
    assertThat(page().locator("main [role=alert]")).hasCount(0);
  }
}
