package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the per-second charts of the last five minutes, for all nodes, queues and types. */
interface LiveCharts extends Console {
  /** Returns the number of completed jobs in the chart of the console. */
  String COMPLETED =
      """
      () => Math.round(document.querySelector('readpast-throughput').series?.completed
        .reduce((sum, one) => sum + one, 0) ?? -1)""";

  /**
   * Limits the time until a second is shown: the time of a heartbeat plus the delay, with a margin
   * for slow machines.
   */
  int SHOWN_WITHIN_MILLIS = 45_000;

  private void awaitCompleted(int jobs) {
    page()
        .waitForCondition(
            () -> ((Number) page().evaluate(COMPLETED)).intValue() == jobs,
            new Page.WaitForConditionOptions().setTimeout(SHOWN_WITHIN_MILLIS));
  }

  @Test
  default void chart_follows_each_second_and_can_be_narrowed_to_a_queue_and_a_type() {
    enqueue("live-one", Console.pings(3, "\"payload\":{}"));
    open("viewer", "overview");
    page().getByLabel("Queue", exact()).selectOption("live-one");
    assertThat(page()).hasURL(window().uri("#/overview?queue=live-one"));
    // The jobs have run before a user watched, but are counted nevertheless.
    awaitCompleted(3);
    enqueue("live-one", Console.pings(2, "\"payload\":{}"));
    awaitCompleted(5);

    page().getByLabel("Type", exact()).selectOption("readpast.ping");
    awaitCompleted(5);
    assertThat(page().locator("section[aria-labelledby=slowest]")).containsText("readpast.ping");
    Locator rates = page().locator("section[aria-labelledby=rates]");
    assertThat(rates.getByText("By queue")).hasCount(0);
    page().getByLabel("Type", exact()).selectOption("");
    rates.getByText("By type").click();
    assertThat(rates.locator("canvas")).hasCount(1);
    assertThat(rates.locator(".u-legend")).containsText("readpast.ping");
    Locator waits = page().locator("section[aria-labelledby=times]").getByText("Wait");
    waits.click();
    assertThat(waits).hasAttribute("aria-current", "true");
    assertThat(page().locator("readpast-chart canvas")).hasCount(2);
    window().screenshot("overview-live");
    go("overview?queue=none-such");
    awaitCompleted(0);
  }

  private static Page.GetByLabelOptions exact() {
    return new Page.GetByLabelOptions().setExact(true);
  }

  @Test
  default void overview_shows_running_and_next_jobs() {
    long job =
        enqueue(
            "busy",
            "{\"type\":\"readpast.ping\",\"payload\":{\"sleep\":\"PT1M\",\"mode\":\"LEASED\"}}");
    open("operator", "overview");
    Locator running = page().locator("section[aria-labelledby=running]");
    assertThat(running).containsText(Long.toString(job));
    assertThat(page().locator("section[aria-labelledby=next]")).containsText("report");
    window().screenshot("overview-running");
    assertThat(ask("POST", "jobs/" + job + "/cancellation", "{}").status()).isLessThan(300);
  }

  @Test
  default void chart_of_seconds_distinguishes_types() {
    open("viewer", "overview?span=PT1H&type=readpast.ping");
    assertThat(page().getByLabel("Type", exact())).hasCount(0);
    assertThat(page().locator("main [role=alert]")).hasCount(0);
    for (String refused :
        List.of(
            "?span=PT1H&type=t",
            "?span=PT2H",
            "?since=now",
            "?queue=no%20queue",
            "?type=no%20type",
            "/breakdown?by=node",
            "/breakdown?span=PT1H&by=type",
            "/breakdown?queue=no%20queue")) {
      assertThat(ask("GET", "throughput" + refused, "").status()).as(refused).isEqualTo(400);
    }
  }
}
