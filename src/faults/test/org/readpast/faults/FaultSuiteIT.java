package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.FaultRun.Plan;
import org.readpast.faults.Story.Injected;

/**
 * Runs the complete fault suite, with each pair of servers, each path to the database, and the
 * default lease. If the system lacks the tools for a part of the suite, that part is skipped, which
 * the log reports. The figures are valid only if no part was skipped.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultSuiteIT {
  private static final int WHOLE = 160;
  private static final int FAULTS = Integer.getInteger("readpast.faults.count", WHOLE);
  private static final List<String> FAULTS_OF_LEADERS =
      List.of(
          Faults.LEADER_KILLED,
          Faults.LEADER_CHANGED,
          Injected.KILL,
          "backend terminated",
          "application redeployed",
          "errors raised");
  private static final int LANES = 3;

  /**
   * Lists the faults that take half a minute each. All other faults are short, and should occur
   * often.
   */
  private static final List<String> DEAR =
      List.of(Faults.FROZEN, Faults.LEADER_KILLED, Faults.LEADER_CHANGED);

  private static final long RECOVERED = 30_000_000;
  private static final long FAILED_OVER = 60_000_000;

  private static final List<Story> STORIES = new ArrayList<>();

  @Order(1)
  @ParameterizedTest
  @CsvSource({
    "liberty liberty, DIRECT, 0",
    "payara payara, DIRECT, 8",
    "liberty payara, POOLED, 8",
    "liberty liberty, REPLICATED, 0"
  })
  void faults_cause_no_lost_duplicate_or_unordered_job(String servers, Way way, int poisons)
      throws Exception {
    List<String> missing = missing(way);
    assumeTrue(missing.isEmpty(), () -> Tools.notice(missing));
    boolean leaders = way == Way.REPLICATED;
    STORIES.add(
        Runs.assertUnbroken(
            new Plan(
                Runs.seed(),
                List.of(servers.split(" ")),
                way,
                leaders ? FAULTS / 4 : FAULTS,
                // Leaders fail one at a time, because only one standby has all committed
                // transactions.
                leaders ? 1 : LANES,
                leaders ? FAULTS_OF_LEADERS : List.of(),
                Load.MIXED,
                40,
                poisons,
                Duration.ofSeconds(10),
                Runs.KEPT,
                null)));
  }

  private static List<String> missing(Way way) {
    List<String> missing =
        switch (way) {
          case DIRECT -> List.of();
          case POOLED -> Tools.missing("pgbouncer");
          case REPLICATED -> Tools.missing("patroni", "etcd", "pg_controldata");
        };
    if (!missing.isEmpty()) {
      // The reason is printed here, because Failsafe counts skipped tests without their reasons.
      System.out.println("[WARNING] " + way + " is skipped: " + Tools.notice(missing));
    }
    return missing;
  }

  @Test
  @Order(2)
  void suite_injected_enough_faults_of_each_kind() {
    assumeTrue(FAULTS >= WHOLE && STORIES.size() == 4, "less than the whole suite was run");
    String report = ReportText.figures(STORIES);
    ReportText.write("# The whole fault suite\n\n" + report);
    Map<String, Long> times =
        STORIES.stream()
            .flatMap(story -> story.faults().stream())
            .map(Injected::kind)
            .filter(kind -> !kind.endsWith(FaultRun.IN_PART))
            .collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));
    assertThat(times.values().stream().mapToLong(Long::longValue).sum())
        .as(report)
        .isGreaterThanOrEqualTo(500);
    assertThat(times).as(report).hasSizeGreaterThanOrEqualTo(15);
    Map<String, Long> cheap = new TreeMap<>(times);
    cheap.keySet().removeAll(DEAR);
    assertThat(cheap.values())
        .as(report)
        .allSatisfy(count -> assertThat(count).isGreaterThanOrEqualTo(10));
    assertThat(
            times.entrySet().stream()
                .filter(kind -> kind.getKey().startsWith(Injected.KILL))
                .mapToLong(Map.Entry::getValue)
                .sum())
        .as(report)
        .isGreaterThanOrEqualTo(40);
    assertThat(times.get(Faults.RESTART)).as(report).isGreaterThanOrEqualTo(10);
    assertThat(times.get(Faults.LEADER_KILLED)).as(report).isGreaterThanOrEqualTo(5);
    List<Takeover> takeovers =
        STORIES.stream()
            .flatMap(story -> Takeover.all(story).stream())
            .filter(Takeover::alone)
            .toList();
    assertThat(takeovers).as("takeovers that no other fault held up").hasSizeGreaterThan(5);
    for (Recovery one : STORIES.stream().flatMap(story -> Recovery.all(story).stream()).toList()) {
      if (one.alone()) {
        assertThat(one.took())
            .as("%s", one.fault())
            .isLessThan(one.fault().kind().equals(Faults.RESTART) ? RECOVERED : FAILED_OVER);
      }
    }
  }
}
