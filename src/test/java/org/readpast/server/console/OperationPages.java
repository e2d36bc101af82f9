package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Nodes, and who did what. */
interface OperationPages extends Console {

  @Test
  default void node_is_drained_after_a_question() {
    // Nobody works here: a row of a node that beats seldom, so that the server's own goes on.
    database()
        .execute(
            """
            insert into readpast_node (id, name, version, lease_ms, queues, types)
            values (gen_random_uuid(), 'other-node', '0.1.0', 3600000, '{}', '{}')""");
    open("admin", "nodes");
    assertThat(row("readpast@")).isVisible();
    row("other-node").getByText("Drain").click();
    confirm("Drain");
    awaitSaid("other-node takes no more jobs");
    assertThat(row("other-node")).containsText("is told to drain");
  }

  @Test
  default void audit_tells_who_did_what_and_can_be_taken_along() throws IOException {
    enqueue("watched", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    open("operator", "queues?queue=watched");
    button("Pause").first().click();
    awaitSaid("is paused");

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
  }
}
