package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.TestDatabase;

/** Queues are watched, stopped and widened. */
interface QueuePages extends Console {
  String PING = "{\"type\":\"readpast.ping\",\"payload\":{}}";

  @Test
  default void paused_queue_keeps_its_jobs_until_it_is_resumed() {
    enqueue("halting", PING);
    open("operator", "queues");
    Locator row = row("halting");
    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Pause")).click();
    awaitSaid("halting is paused");
    assertThat(row).containsText("Paused");
    long job = enqueue("halting", PING);
    assertThat(row.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("1")).first())
        .isVisible();
    org.assertj.core.api.Assertions.assertThat(stateOf(job)).isEqualTo("AVAILABLE");

    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Resume")).click();
    awaitSaid("halting goes on");
    Await.until(Duration.ofSeconds(15), () -> "COMPLETED".equals(stateOf(job)));
  }

  @Test
  default void slider_changes_how_many_jobs_run_at_once() {
    enqueue("wide", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "queues?queue=wide");
    Locator slider = page().locator("#concurrency-slider");
    slider.focus();
    slider.press("Home");
    slider.press("ArrowRight");
    slider.press("ArrowRight");
    awaitSaid("At once, on each node: 2");
    Await.until(
        Duration.ofSeconds(5),
        () ->
            "2"
                .equals(
                    TestDatabase.value(
                        database(), "select concurrency from readpast_queue where name = 'wide'")));
    assertThat(page().locator("output[for=concurrency-slider]")).hasText("2");
    window().screenshot("queue-settings");
  }
}
