package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.readpast.faults.Cluster.Member;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.FaultRun.Plan;
import org.readpast.faults.Story.Answer;
import org.readpast.support.Command;
import org.readpast.support.TestDatabase;

/** Runs without faults for a long time, and checks that no resource grows. */
class SoakIT {
  private static final int MINUTES = Integer.getInteger("readpast.soak.minutes", 20);
  private static final int RATE = 300;
  // The requested rate is higher than the actual rate, because the duration of a request adds to
  // the pause before it.
  private static final int ASKED_FOR = RATE * 4 / 3;
  private static final Duration KEPT = Duration.ofMinutes(2);

  /** Specifies the growth that is allowed in addition to 10 %. */
  private static final Map<String, Long> SLACK =
      Map.of(
          "heap",
          8L << 20,
          "threads",
          6L,
          "connections",
          4L,
          "tables",
          4L << 20,
          "indexes",
          4L << 20);

  /** Contains the samples by name; each name starts with one of the keys of {@link #SLACK}. */
  private final List<Map<String, Long>> samples = new ArrayList<>();

  /** Lists the largest tables in each minute, which show what is growing. */
  private final List<String> largestTables = new ArrayList<>();

  @Test
  void nothing_grows_under_a_steady_load() throws Exception {
    Plan plan =
        new Plan(
            Runs.seed(),
            Runs.servers("liberty,payara"),
            Way.DIRECT,
            0,
            1,
            List.of(),
            Load.MIXED,
            ASKED_FOR,
            0,
            Duration.ofSeconds(10),
            KEPT,
            null);
    Story story = new FaultRun(plan).run(this::watch);

    String report = report(story);
    ReportText.write(report);
    assertThat(story.faults()).as("dead servers").isEmpty();
    assertThat(story.live()).as(report).isEmpty();
    Map<Integer, Long> effects =
        story.effects().stream()
            .collect(Collectors.groupingBy(Story.Effect::n, Collectors.counting()));
    assertThat(story.asked())
        .filteredOn(asked -> asked.answer() == Answer.OK && asked.spec().after().isEmpty())
        .as("jobs that were processed")
        .allMatch(asked -> effects.containsKey(asked.n()));
    assertThat(story.asked())
        .filteredOn(asked -> asked.spec().transactional())
        .as("transactional jobs that were processed once")
        .allMatch(asked -> effects.getOrDefault(asked.n(), 0L) <= 1);
    assertThat(perSecond(story)).as("jobs per second").isGreaterThan(RATE * 0.95);
    assertFlat(report);
  }

  private void watch(Cluster cluster) throws InterruptedException {
    for (int minute = 0; minute < MINUTES; minute++) {
      TimeUnit.MINUTES.sleep(1);
      Map<String, Long> sample = new LinkedHashMap<>();
      for (Member member : cluster.members()) {
        long pid = member.server().pid();
        sample.put("heap of " + member.name(), heap(pid));
        sample.put("threads of " + member.name(), threads(pid));
      }
      sample.put(
          "connections",
          TestDatabase.count(
              cluster.superuser(),
              "select count(*) from pg_stat_activity where application_name like 'readpast%'"));
      sample.put("tables", size(cluster, "pg_table_size"));
      sample.put("indexes", size(cluster, "pg_indexes_size"));
      samples.add(sample);
      largestTables.add(largestTables(cluster));
    }
  }

  private static String largestTables(Cluster cluster) {
    return String.join(
        ", ",
        TestDatabase.column(
            cluster.database(),
            "select relname || ' ' || pg_size_pretty(pg_total_relation_size(oid)) from pg_class"
                + " where relkind = 'r' and relname like 'readpast_%'"
                + " order by pg_total_relation_size(oid) desc limit 6"));
  }

  private static long size(Cluster cluster, String function) {
    return TestDatabase.count(
        cluster.database(),
        "select sum(%s(oid)) from pg_class where relkind = 'r' and relname like 'readpast_%%'"
            .formatted(function));
  }

  /** Returns the used heap after a full garbage collection, in bytes. */
  private static long heap(long pid) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String process = Long.toString(pid);
    Command.runOrFail(List.of(jcmd, process, "GC.run"), Path.of("."), Map.of());
    String said = Command.runOrFail(List.of(jcmd, process, "GC.heap_info"), Path.of("."), Map.of());
    long used = 0;
    // Each generation has one line; some collectors have only one generation.
    var matcher = Pattern.compile("(?m)^.*total \\d+K, used (\\d+)K").matcher(said);
    while (matcher.find()) {
      used += Long.parseLong(matcher.group(1)) * 1_024;
    }
    assertThat(used).as(said).isPositive();
    return used;
  }

  private static long threads(long pid) {
    try (var threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares the median of the last quarter with that of the second quarter, in which all caches
   * are warm.
   */
  private void assertFlat(String report) {
    int quarter = samples.size() / 4;
    assertThat(quarter).as("minutes in a quarter").isGreaterThanOrEqualTo(2);
    samples
        .get(0)
        .keySet()
        .forEach(
            name -> {
              long slack =
                  SLACK.entrySet().stream()
                      .filter(one -> name.startsWith(one.getKey()))
                      .mapToLong(Map.Entry::getValue)
                      .sum();
              long before = median(name, samples.subList(quarter, 2 * quarter));
              long after = median(name, samples.subList(3 * quarter, samples.size()));
              assertThat(after)
                  .as("%s\n%s", name, report)
                  .isLessThanOrEqualTo(before * 110 / 100 + slack);
            });
  }

  private static long median(String name, List<Map<String, Long>> some) {
    return some.stream().map(sample -> sample.get(name)).sorted().toList().get(some.size() / 2);
  }

  private static double perSecond(Story story) {
    LongSummaryStatistics asked =
        story.asked().stream()
            .filter(one -> one.answer() == Answer.OK)
            .mapToLong(Story.Asked::answered)
            .summaryStatistics();
    return asked.getCount() * 1e6 / (asked.getMax() - asked.getMin());
  }

  private String report(Story story) {
    StringBuilder text = new StringBuilder("# Soak\n\n");
    text.append(MINUTES).append(" minutes, ").append(Math.round(perSecond(story)));
    text.append(" jobs per second.\n\n| minute");
    samples.get(0).keySet().forEach(name -> text.append(" | ").append(name));
    text.append(" |\n|---:").append("|---:".repeat(samples.get(0).size())).append("|\n");
    for (int minute = 0; minute < samples.size(); minute++) {
      text.append("| ").append(minute + 1);
      samples
          .get(minute)
          .forEach(
              (name, value) ->
                  text.append(" | ").append(value < 10_000 ? value + "" : (value >> 10) + " KiB"));
      text.append(" |\n");
    }
    text.append("\nThe largest tables with their indexes, minute by minute:\n\n");
    largestTables.forEach(some -> text.append("1. ").append(some).append('\n'));
    return text.toString();
  }
}
