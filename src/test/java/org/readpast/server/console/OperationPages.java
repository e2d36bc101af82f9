package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import jakarta.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the pages of nodes and of the audit. */
interface OperationPages extends Console {

  @Test
  default void node_is_drained_after_a_confirmation() {
    // A row of a node that does not exist and rarely sends heartbeats, so that the server's own
    // node keeps running.
    database()
        .execute(
            """
            insert into readpast_node (id, name, version, lease_ms, queues, types)
            values (gen_random_uuid(), 'other-node', '0.1.0', 3600000, '{}', '{}')""");
    open("admin", "nodes");
    assertThat(row("readpast@")).isVisible();
    row("other-node").getByText("Drain").click();
    confirm("Drain");
    awaitSaid("other-node is draining");
    assertThat(row("other-node")).containsText("drain requested");
    // Charts omit the latest seconds, as many as the longest lease of a node requires.
    database().execute("delete from readpast_node where name = 'other-node'");
  }

  @Test
  default void waiting_jobs_are_moved_to_another_type() {
    database().execute("insert into readpast_type (name, max_attempts) values ('moved.here', 5)");
    long job = enqueue("moved", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "jobs?q=queue:moved");
    page().getByLabel("Select job " + job).click();
    button("Move").click();
    page().locator("dialog[open] input").fill("moved.here");
    assertThat(window().accessibilityFaults()).isEmpty();
    page().locator("dialog[open] input").press("Enter");
    awaitSaid("1 of 1 jobs moved");
    assertThat(row("" + job)).containsText("moved.here");
    assertThat(api().get("/jobs/" + job).object().getString("type")).isEqualTo("moved.here");
  }

  @Test
  default void undeclared_schedule_is_deleted_even_while_it_is_disabled() {
    database()
        .execute(
            """
            insert into readpast_schedule (name, kind, expression, zone, anchor, type, queue, priority, payload, catch_up,
              catch_up_cap, overlap, enabled, next_at, declared_by, declared_node, place, fingerprint)
            values ('left-behind', 'CRON', '0 2 * * *', 'UTC', now(), 'readpast.ping', 'default', 4, '{}', 'NONE',
              1, 'ALLOW', false, now() + interval '1 day', 'gone', 'gone@host', 'Gone.nightly', 'f')""");
    open("admin", "schedules/left-behind");
    button("Delete").click();
    confirm("Delete");
    assertThat(heading("Schedules and rules")).isVisible();
    assertThat(api().get("/schedules/left-behind").status()).isEqualTo(404);
  }

  @Test
  default void audit_shows_callers_and_actions_and_can_be_exported() throws IOException {
    enqueue("watched", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    open("operator", "queues?queue=watched");
    row("watched").getByText("Pause").click();
    awaitSaid("watched paused");

    go("audit");
    page().getByLabel("Who").fill("operator");
    button("Filter").click();
    assertThat(page()).hasURL(window().uri("#/audit?who=operator"));
    assertThat(row("operator")).isVisible();
    Download download = page().waitForDownload(() -> page().getByText("CSV").click());
    assertThat(Files.readString(download.path(), UTF_8)).contains("operator");
    page().getByLabel("Who").fill("nobody");
    button("Filter").click();
    assertThat(page().locator("tbody tr")).hasCount(0);
    for (String action : List.of("schedule.enable", "group.skip", "jobs.erase", "encryption")) {
      assertThat(page().locator("#actions option[value='" + action + "']")).hasCount(1);
    }
  }

  @Test
  default void audit_is_exported_as_json_with_its_filter() throws IOException {
    insertDeeds("exporter", 3);
    open("viewer", "audit?who=exporter");
    Download download = page().waitForDownload(() -> page().getByText("JSON").click());
    assertThat(download.suggestedFilename()).isEqualTo("readpast-audit.json");
    try (var reader = Json.createReader(Files.newBufferedReader(download.path(), UTF_8))) {
      assertThat(reader.readObject().getJsonArray("entries"))
          .hasSize(3)
          .allSatisfy(one -> assertThat(one.asJsonObject().getString("who")).isEqualTo("exporter"));
    }
  }

  @Test
  default void audit_has_earlier_pages_and_links_to_its_targets() {
    insertDeeds("diligent", 130);
    open("viewer", "audit?who=diligent");
    assertThat(page().locator("tbody tr")).hasCount(100);
    assertThat(row("diligent")).containsText("priority: 4 → 9");
    page().getByText("Older").click();
    assertThat(page().locator("tbody tr")).hasCount(30);
    page().getByText("Newest").click();
    assertThat(page().locator("tbody tr")).hasCount(100);
    page().getByText("Clear").click();
    assertThat(page()).hasURL(window().uri("#/audit"));
    assertThat(field("Who")).hasValue("");
    page().goBack();
    row("diligent").getByRole(AriaRole.LINK).click();
    assertThat(page()).hasURL(window().uri("#/queues?queue=mail"));
  }

  @Test
  default void time_range_is_entered_in_local_time() {
    insertDeeds("early", 1);
    open("viewer", "audit?who=early");
    page().getByLabel("From").fill("2026-01-01T13:00");
    page().getByLabel("Until").fill("2026-07-01T13:00");
    button("Filter").click();
    assertThat(page())
        .hasURL(
            Pattern.compile(
                ".*from=2026-01-01T12%3A00%3A00.000Z&to=2026-07-01T11%3A00%3A00.000Z.*"));
    assertThat(heading("No matching entries")).isVisible();
    page().reload();
    assertThat(page().getByLabel("From")).hasValue("2026-01-01T13:00");
    assertThat(page().getByLabel("Until")).hasValue("2026-07-01T13:00");
  }

  private void insertDeeds(String who, int number) {
    database()
        .execute(
            """
            insert into readpast_audit (who, action, target, detail)
            select '%s', 'queue.change', 'mail', '{"priority":{"from":4,"to":9}}' from generate_series(1, %d)"""
                .formatted(who, number));
  }

  @Test
  default void configuration_is_shown_with_its_sources_and_without_secrets() {
    open("viewer", "about");
    assertThat(row("readpast.users")).containsText("viewer,operator");
    assertThat(row("readpast.admin.password-hash")).containsText("set, hidden");
    assertThat(row("readpast.worker.concurrency")).hasCount(0);
    page().getByLabel("Show defaults").click();
    assertThat(row("readpast.worker.concurrency")).containsText("default");
  }

  @Test
  default void overview_shows_another_time_range_and_links_to_problems() {
    open("viewer", "overview");
    page().getByText("24 h").click();
    assertThat(page()).hasURL(window().uri("#/overview?span=P1D"));
    assertThat(page().getByText("24 h")).hasAttribute("aria-current", "true");
    page().reload();
    assertThat(page().getByText("24 h")).hasAttribute("aria-current", "true");
    assertThat(page().locator(".chart canvas").first()).isVisible();
    page().locator(".attention").getByText("discarded: no attempts left").click();
    assertThat(page()).hasURL(window().uri("#/jobs?state=DISCARDED"));
    page().goBack();
    page().locator(".tile", new Page.LocatorOptions().setHasText("Scheduled")).click();
    assertThat(page()).hasURL(window().uri("#/jobs?state=SCHEDULED"));
  }
}
