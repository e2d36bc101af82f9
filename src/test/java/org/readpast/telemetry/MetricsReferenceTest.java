package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the page that lists the metrics agrees with the published metrics, in both directions.
 */
class MetricsReferenceTest {
  private static final Path PAGE = Path.of("docs/reference/metrics.md");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `([a-z.]+)` \\| `([a-z_]+)` \\| (\\w+) \\| (\\w+) \\| ([^|]*) \\| ([^|]+) \\|$");

  /**
   * Returns the type, the unit, the labels and the name at {@code /metrics} of each metric, by its
   * name.
   */
  private final Map<String, String> published = new TreeMap<>();

  private void add(String type, String by, String end, List<? extends Measure<?>> measures) {
    for (Measure<?> one : measures) {
      String unit = one.unit().equals("s") ? "s" : "job";
      String operation = one.operation() == null ? "" : ", operation `" + one.operation() + "`";
      published.put(
          one.name(),
          String.join(" ", type, unit, by + operation, Measure.underscored(one.name()) + end));
    }
  }

  @Test
  void page_lists_each_metric_with_its_type_unit_and_labels() throws IOException {
    add("counter", "queue", "_total", Measure.COUNTED);
    add("counter", "type", "_total", Measure.COUNTED_BY_TYPE);
    add("level", "queue", "", Measure.LEVELS);
    add("level", "type", "", List.of(Measure.CONCURRENCY_OF_TYPE));
    add("level", "", "", List.of(Measure.BUSY_WORKERS, Measure.WORKERS_LIMIT));
    add("histogram", "queue", "_seconds_bucket", Measure.TIMES);
    add("histogram", "type", "_seconds_bucket", Measure.TIMES_BY_TYPE);
    published.put(Measure.JOBS, "gauge job queue, state readpast_jobs");
    published.put(Measure.OLDEST, "gauge s queue, state readpast_oldest_age_seconds");

    Map<String, String> listed = new TreeMap<>();
    ROW.matcher(Files.readString(PAGE))
        .results()
        .forEach(
            row ->
                assertThat(
                        listed.put(
                            row.group(1),
                            String.join(
                                " ",
                                row.group(3),
                                row.group(4),
                                row.group(5).replaceAll(";.*", ""),
                                row.group(2))))
                    .isNull());
    assertThat(listed).isEqualTo(published);
  }

  @Test
  void alarms_use_existing_metrics_and_labels() throws IOException {
    String page = Files.readString(PAGE);
    List<String> asked =
        Pattern.compile(
                "\\b(?:readpast|messaging)_[a-z_]+(?=[\\[{)=]|\\) by)|\\((messaging_[a-z_]+)")
            .matcher(alarms())
            .results()
            .map(found -> found.group().replace("(", ""))
            .toList();
    assertThat(asked)
        .hasSizeGreaterThan(8)
        .allSatisfy(
            name ->
                assertThat(page)
                    .containsAnyOf("`" + name + "`", "`" + name.replace('_', '.') + "`"));
  }

  private static String alarms() throws IOException {
    String page = Files.readString(Path.of("docs/guide/monitoring.md"));
    return page.substring(page.indexOf("## Metrics"), page.indexOf("## Spans"));
  }

  @Test
  void page_names_every_label_and_every_state() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page)
        .contains(
            Measure.SYSTEM,
            Measure.QUEUE,
            Measure.OPERATION,
            Measure.APPLICATION,
            Measure.STATE,
            Measure.TYPE);
    Measure.STATES.forEach(state -> assertThat(page).contains(state.name()));
  }
}
