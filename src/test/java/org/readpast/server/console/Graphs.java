package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests that a graph shows dependencies, and can be moved and zoomed with and without a mouse. */
interface Graphs extends Console {

  /** Creates one job, and two followers of the job. */
  private Locator openGraph() {
    if (api().get("/batches/drawn").status() == 404) {
      enqueue(
          "drawing",
          """
          [{"type":"readpast.ping","payload":{},"delay":"PT1H","ref":"one","batch":"drawn"},
           {"type":"readpast.ping","payload":{},"after":["one"],"batch":"drawn"},
           {"type":"readpast.ping","payload":{},"after":["one"],"batch":"drawn"}]""");
    }
    open("viewer", "batches/drawn");
    Locator graph = page().locator("readpast-graph svg[role=group]");
    assertThat(graph.locator("a")).hasCount(3);
    assertThat(graph.locator(".edge")).hasCount(2);
    return graph;
  }

  /** Returns the left edge, top edge, width and height of the visible part. */
  private static double[] seen(Locator graph) {
    return Arrays.stream(graph.getAttribute("viewBox").split(" "))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  @Test
  default void keys_move_and_zoom_the_graph() {
    Locator graph = openGraph();
    double[] all = seen(graph);
    graph.focus();
    graph.press("ArrowRight");
    graph.press("ArrowDown");
    double[] moved = seen(graph);
    assertThat(moved[0]).isGreaterThan(all[0]);
    assertThat(moved[1]).isGreaterThan(all[1]);
    graph.press("ArrowLeft");
    graph.press("ArrowUp");
    assertThat(seen(graph)).containsExactly(all, within(0.001));
    graph.press("+");
    assertThat(seen(graph)[2]).isLessThan(all[2]);
    graph.press("-");
    graph.press("-");
    assertThat(seen(graph)[2]).isGreaterThan(all[2]);
    graph.press("0");
    assertThat(seen(graph)).containsExactly(all);
    // Keys with Alt belong to the browser.
    graph.press("Alt+-");
    assertThat(seen(graph)).containsExactly(all);
  }

  @Test
  default void graph_follows_the_window_width_until_a_user_moves_the_graph() {
    Locator graph = openGraph();
    double wide = seen(graph)[2];
    page().setViewportSize(800, 900);
    page().waitForCondition(() -> seen(graph)[2] < wide);
    double narrow = seen(graph)[2];
    graph.press("+");
    double nearer = seen(graph)[2];
    assertThat(nearer).isLessThan(narrow);
    page().setViewportSize(1440, 900);
    assertThat(seen(graph)[2]).isEqualTo(nearer);
  }

  @Test
  default void mouse_moves_and_zooms_the_graph() {
    Locator graph = openGraph();
    double[] all = seen(graph);
    BoundingBox place = graph.boundingBox();
    page().mouse().move(place.x + place.width - 200, place.y + 150);
    page().keyboard().down("Control");
    page().mouse().wheel(0, -100);
    page().waitForCondition(() -> seen(graph)[2] < all[2]);
    page().keyboard().up("Control");
    button("All").click();
    assertThat(seen(graph)).containsExactly(all);
    button("Zoom in").click();
    assertThat(seen(graph)[2]).isLessThan(all[2]);
    button("Zoom out").click();
    assertThat(seen(graph)[2]).isEqualTo(all[2], within(0.001));

    button("All").click();
    page().mouse().move(place.x + place.width - 200, place.y + 150);
    page().mouse().down();
    page().mouse().move(place.x + place.width - 300, place.y + 100);
    page().mouse().up();
    double scale = all[2] / place.width;
    assertThat(seen(graph)[0]).isEqualTo(all[0] + 100 * scale, within(2.0));
    assertThat(seen(graph)[1]).isEqualTo(all[1] + 50 * scale, within(2.0));
    page().mouse().move(place.x + 100, place.y + 100);
    assertThat(seen(graph)[0]).isEqualTo(all[0] + 100 * scale, within(2.0));
  }

  @Test
  default void dragging_a_job_moves_the_graph_and_clicking_it_opens_its_page() {
    Locator graph = openGraph();
    double[] all = seen(graph);
    BoundingBox node = graph.locator("a").last().boundingBox();
    page().mouse().move(node.x + 20, node.y + 10);
    page().mouse().down();
    page().mouse().move(node.x + 60, node.y + 30);
    page().mouse().up();
    assertThat(seen(graph)[0]).isLessThan(all[0]);
    assertThat(page()).hasURL(window().uri("#/batches/drawn"));
    graph.locator("a").last().press("Enter");
    assertThat(page().locator("h1 + .state")).hasText("Blocked");
    page().goBack();
    graph.locator("a").first().click();
    assertThat(page().locator("h1 + .state")).hasText("Scheduled");
  }

  @Test
  default void large_graph_opens_at_a_readable_size_and_arrow_keys_walk_it() {
    if (api().get("/batches/drawn-large").status() == 404) {
      StringBuilder chain =
          new StringBuilder(
              "[{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\",\"ref\":\"0\",\"batch\":\"drawn-large\"}");
      for (int i = 1; i < 40; i++) {
        chain.append(
            ",{\"type\":\"readpast.ping\",\"payload\":{},\"after\":[\"%d\"],\"ref\":\"%d\",\"batch\":\"drawn-large\"}"
                .formatted(i - 1, i));
      }
      enqueue("drawing", chain.append("]").toString());
    }
    // The window is not high enough to show the whole page.
    page().setViewportSize(1440, 600);
    open("viewer", "batches/drawn-large");
    Locator graph = page().locator("readpast-graph svg[role=group]");
    Locator nodes = graph.locator("a");
    assertThat(nodes).hasCount(40);
    // In the layout, the width of a job is 168.
    assertThat(nodes.first().boundingBox().width).isGreaterThan(120);
    window().screenshot("batch-large-graph");
    double[] opened = seen(graph);

    page().mouse().move(graph.boundingBox().x + 300, graph.boundingBox().y + 200);
    page().mouse().wheel(0, 200);
    page().waitForCondition(() -> Boolean.TRUE.equals(page().evaluate("scrollY > 0")));
    assertThat(seen(graph)).containsExactly(opened);

    assertThat(graph.locator("a[tabindex='0']")).hasCount(1);
    nodes.first().focus();
    for (int i = 0; i < 12; i++) {
      page().keyboard().press("ArrowRight");
      assertThat(nodes.nth(i + 1)).isFocused();
    }
    assertThat(seen(graph)[0]).isGreaterThan(opened[0]);
    page().keyboard().press("ArrowLeft");
    assertThat(nodes.nth(11)).isFocused();
    page().keyboard().press("0");
    assertThat(seen(graph)[2]).isGreaterThan(9_000);
  }
}
