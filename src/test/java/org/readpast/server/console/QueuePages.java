package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.TestDatabase;

/** Tests that queues are observed, paused and given other limits. */
interface QueuePages extends Console {
  String PING = "{\"type\":\"readpast.ping\",\"payload\":{}}";

  @Test
  default void paused_queue_keeps_its_jobs_until_it_is_resumed() {
    enqueue("halting", PING);
    open("operator", "queues");
    Locator row = row("halting");
    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Pause")).click();
    awaitSaid("halting paused");
    assertThat(row).containsText("Paused");
    long job = enqueue("halting", PING);
    assertThat(row.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("1")).first())
        .isVisible();
    assertThat(stateOf(job)).isEqualTo("AVAILABLE");

    row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Resume")).click();
    awaitSaid("halting resumed");
    Await.until(Duration.ofSeconds(15), () -> "COMPLETED".equals(stateOf(job)));
  }

  @Test
  default void slider_changes_the_number_of_concurrent_jobs() {
    enqueue("wide", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "queues?queue=wide");
    Locator slider = page().locator("#concurrency-slider");
    slider.fill("1");
    slider.press("ArrowRight");
    awaitSaid("Concurrency per node: 2");
    Await.until(
        Duration.ofSeconds(5),
        () ->
            "2"
                .equals(
                    TestDatabase.value(
                        database(), "select concurrency from readpast_queue where name = 'wide'")));
    assertThat(page().locator("#concurrency-number")).hasValue("2");
    window().screenshot("queue-settings");
  }

  @Test
  default void queue_limits_are_set_and_returned_to_the_configuration() {
    enqueue("narrow", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "queues?queue=narrow");
    for (String label : List.of("Concurrency over all nodes", "Reserved workers per node")) {
      field(label).fill("1");
      awaitSaid(label + ": 1");
    }
    assertThat(button("Use the configuration")).hasCount(2);
    assertThat(inDatabase("global_concurrency")).isEqualTo("1");
    assertThat(inDatabase("reserved")).isEqualTo("1");
    button("Use the configuration").first().click();
    awaitSaid("Concurrency over all nodes: from the configuration");
    assertThat(button("Use the configuration")).hasCount(1);
    assertThat(inDatabase("global_concurrency")).isNull();
    button("Close").click();
    assertThat(page().locator("#settings")).hasCount(0);
    assertThat(page()).hasURL(window().uri("#/queues"));
  }

  private String inDatabase(String column) {
    return TestDatabase.value(
        database(), "select " + column + " from readpast_queue where name = 'narrow'");
  }

  @Test
  default void limits_of_a_job_type_are_shown() {
    enqueue("typed", PING);
    database().execute("insert into readpast_type_limit values ('console.limited', 7)");
    open("viewer", "queues");
    // Nodes read limits every five seconds.
    Await.until(
        Duration.ofSeconds(30),
        () -> {
          page().reload();
          assertThat(row("typed")).isVisible();
          return row("console.limited").count() == 1;
        });
    assertThat(row("console.limited")).containsText("no limit");
    assertThat(row("console.limited")).containsText("7");
  }

  @Test
  default void administrator_limits_a_job_type_and_restores_the_configured_limit() {
    enqueue("typed", PING);
    open("admin", "queues");
    field("Job type").fill("readpast.ping");
    page().getByLabel("Maximum over all nodes").fill("9000");
    button("Set limit").click();
    awaitSaid("readpast.ping: limit 9000");
    assertThat(limitOfPing()).isEqualTo("9000");
    assertThat(page().getByText("0 stops the type")).isVisible();
    assertThat(field("Job type")).hasValue("");
    // Nodes read limits every five seconds.
    Await.until(
        Duration.ofSeconds(30),
        () -> {
          page().reload();
          assertThat(row("typed")).isVisible();
          return row("readpast.ping").count() == 1;
        });
    assertThat(window().accessibilityFaults()).isEmpty();
    row("readpast.ping")
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Use the configuration"))
        .click();
    awaitSaid("readpast.ping: limit from the configuration");
    assertThat(limitOfPing()).isNull();

    field("Job type").fill("nobody.handles.this");
    page().getByLabel("Maximum over all nodes").fill("1");
    window().expectFault("status of 404");
    button("Set limit").click();
    awaitSaid("job type 'nobody.handles.this' does not exist");

    // The page asks for the role of its user when it is loaded.
    page().navigate("about:blank");
    open("operator", "queues");
    assertThat(row("typed")).isVisible();
    assertThat(button("Set limit")).hasCount(0);
  }

  private String limitOfPing() {
    return TestDatabase.value(
        database(),
        "select global_concurrency from readpast_type_limit where type = 'readpast.ping'");
  }

  @Test
  default void number_beyond_the_slider_is_set_and_zero_is_confirmed() {
    enqueue("exact", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "queues?queue=exact");
    Locator number = field("Concurrency over all nodes, as a number");
    number.fill("10001");
    number.press("Enter");
    assertThat(number).hasJSProperty("validity.valid", false);
    number.fill("9999");
    number.press("Enter");
    awaitSaid("Concurrency over all nodes: 9999");
    assertThat(field("Concurrency over all nodes")).hasValue("9999");

    number.fill("0");
    number.press("Enter");
    assertThat(page().locator("dialog[open]")).containsText("no node starts another job");
    assertThat(window().accessibilityFaults()).isEmpty();
    confirm("Cancel");
    assertThat(number).hasValue("9999");
    number.fill("0");
    number.press("Enter");
    confirm("Set to 0");
    awaitSaid("Concurrency over all nodes: 0");
    // The following tests use the queue without reserved workers.
    field("Reserved workers per node, as a number").fill("0");
    number.focus();
    awaitSaid("Reserved workers per node: 0");

    page().getByText("Charts").click();
    assertThat(page()).hasURL(window().uri("#/overview?queue=exact"));
    assertThat(page().getByLabel("Queue", new Page.GetByLabelOptions().setExact(true)))
        .hasValue("exact");
  }

  @Test
  default void selected_queue_shows_the_nodes_that_serve_it() {
    enqueue("served", Console.pings(3, "\"payload\":{}"));
    Await.until(JobPages.SOON, () -> count("served", "COMPLETED") == 3);
    open("viewer", "queues");
    assertThat(page().locator("#queue-nodes")).hasCount(0);
    row("served")
        .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("served").setExact(true))
        .click();
    Locator nodes = page().getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("Nodes"));
    // Nodes report their counters with their heartbeats.
    assertThat(nodes.locator("tbody td.number").nth(2))
        .hasText("3", new LocatorAssertions.HasTextOptions().setTimeout(30_000));
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("queue-nodes");
    nodes.getByRole(AriaRole.LINK).click();
    assertThat(page().locator(".states [aria-current]")).containsText("Running");
    assertThat(page().getByLabel("Search jobs")).hasValue(Pattern.compile("queue:served node:.+"));
  }

  @Test
  default void depths_of_a_queue_link_to_its_charts() {
    enqueue("sparkling", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    database()
        .execute(
            """
            insert into readpast_depth (queue, minute, depth)
            select 'sparkling', date_trunc('minute', now()) - i * interval '1 minute', i
            from generate_series(1, 9) i""");
    open("viewer", "queues");
    row("sparkling").locator("a:has(.spark)").click();
    assertThat(page()).hasURL(window().uri("#/overview?queue=sparkling"));
  }

  @Test
  default void purged_queue_has_no_waiting_jobs() {
    enqueue("emptied", Console.pings(3, "\"payload\":{},\"delay\":\"PT1H\""));
    open("admin", "queues?queue=emptied");
    button("Purge").click();
    assertThat(page().locator("dialog[open]")).containsText("currently 3");
    confirm("Cancel");
    assertThat(count("emptied", "SCHEDULED")).isEqualTo(3);
    button("Purge").click();
    confirm("Purge");
    awaitSaid("emptied  purged");
    assertThat(count("emptied", "SCHEDULED")).isZero();
  }

  @Test
  default void numbers_of_a_queue_link_to_its_jobs() {
    enqueue("failing", "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":9},\"maxAttempts\":1}");
    Await.until(JobPages.SOON, () -> count("failing", "DISCARDED") == 1);
    open("viewer", "queues");
    row("failing").getByRole(AriaRole.LINK).last().click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=queue%3Afailing&state=DISCARDED"));
    assertThat(page().locator(".rows .row")).hasCount(1);
  }

  @Test
  default void sliders_work_independently_and_reach_their_values() {
    enqueue("tuned", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    assertThat(api().send("PATCH", "/queues/tuned", "{\"concurrency\":500}").status())
        .isLessThan(300);
    open("operator", "queues?queue=tuned");
    assertThat(page().locator("#concurrency-number")).hasValue("500");
    assertThat(page().locator("#concurrency-slider")).hasValue("500");
    for (String name : List.of("globalConcurrency", "reserved")) {
      page().locator("#" + name + "-slider").fill("1");
    }
    awaitSaid("Concurrency over all nodes: 1");
    awaitSaid("Reserved workers per node: 1");
  }

  @Test
  default void settings_of_the_selected_queue_stay_visible_below_many_queues() {
    page().setViewportSize(1440, 250);
    open("operator", "queues?queue=mail");
    assertThat(page().locator("#settings")).isInViewport();
  }

  @Test
  default void long_names_are_cut_and_fit_a_phone() {
    String queue = "q".repeat(64);
    String batch = "b".repeat(255);
    enqueue(
        queue,
        "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\",\"batch\":\""
            + batch
            + "\"}");
    open("admin", "batches");
    assertThat(page().locator("td.cut[title='" + batch + "']")).isVisible();
    assertThat(page().getByText("Discarded").last()).isInViewport();
    window().screenshot("batches-long-name");
    page().setViewportSize(EveryPage.PHONE_WIDTH, EveryPage.PHONE_HEIGHT);
    for (String path :
        List.of("batches", "queues?queue=" + queue, "overview", "batches/" + batch)) {
      go(path);
      assertThat(page().evaluate("document.documentElement.scrollWidth"))
          .as(path)
          .isEqualTo(EveryPage.PHONE_WIDTH);
    }
    go("queues?queue=" + queue);
    window().screenshot("queue-long-name-phone");
  }
}
