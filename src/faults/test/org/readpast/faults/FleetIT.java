package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.FaultRun.Plan;
import org.readpast.faults.Story.Answer;
import org.readpast.faults.Story.Asked;
import org.readpast.faults.Story.EndedJob;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Spec;
import org.readpast.faults.Story.Work;

/**
 * Tests six servers of two applications on one database. One server is killed every 90 seconds, and
 * some jobs kill the server that runs them, sooner or later.
 */
class FleetIT {
  private static final int DEATHS = Integer.getInteger("readpast.faults.deaths", 6);
  private static final int KILLERS = 3;
  // The first node that a job kills may not be counted, if the job began between two heartbeats,
  // after other jobs of its lease.
  private static final int UNCHARGED = 1;
  private static final long MINUTE = 60_000_000;

  @Test
  void fleet_keeps_its_rate_when_nodes_crash() throws Exception {
    Story story =
        Runs.assertUnbroken(
            new Plan(
                Runs.seed(),
                Runs.servers("liberty,liberty,payara,payara,liberty,liberty"),
                Way.DIRECT,
                DEATHS,
                1,
                List.of(Injected.KILL),
                Load.FLEET,
                12,
                KILLERS,
                Duration.ofSeconds(10),
                Runs.KEPT,
                null));

    killersAreDeadLettersAfterTheirAttempts(story);
    nothingElseIsADeadLetterForItsDeaths(story);
    noMinuteStandsStill(story);
  }

  private static void killersAreDeadLettersAfterTheirAttempts(Story story) {
    List<Spec> killers =
        story.asked().stream()
            .filter(asked -> asked.answer() == Answer.OK)
            .map(Asked::spec)
            .filter(Spec::poison)
            .toList();
    assertThat(killers).hasSize(KILLERS);
    for (Spec killer : killers) {
      assertThat(of(story, killer.n()))
          .as("%s", killer)
          .hasSize(1)
          .allSatisfy(
              row -> {
                assertThat(row.state()).isEqualTo("DISCARDED");
                // The last death is the one after which the job is discarded.
                assertThat(row.crashes()).isEqualTo(killer.maxAttempts() - 1);
              });
      assertThat(story.begun().stream().filter(begun -> begun.n() == killer.n()).count())
          .as("starts of %s", killer)
          .isLessThanOrEqualTo(killer.maxAttempts() + UNCHARGED);
    }
  }

  private static List<EndedJob> of(Story story, int n) {
    return story.ended().stream().filter(row -> row.n() == n).toList();
  }

  /**
   * Checks jobs that were running at several deaths, together with a job that kills servers, or on
   * a server that was killed.
   */
  private static void nothingElseIsADeadLetterForItsDeaths(Story story) {
    Map<Integer, Spec> specs =
        story.asked().stream()
            .map(Asked::spec)
            .collect(Collectors.toMap(Spec::n, spec -> spec, (a, b) -> a));
    assertThat(story.ended())
        .filteredOn(row -> !specs.get(row.n()).poison() && row.state().equals("DISCARDED"))
        .as("other jobs with as many deaths as attempts")
        .noneMatch(row -> row.crashes() + 1 >= specs.get(row.n()).maxAttempts());
    assertThat(story.ended())
        .filteredOn(row -> !specs.get(row.n()).poison() && row.crashes() > 0)
        .as("jobs that ran at a death")
        .hasSizeGreaterThan(DEATHS);
  }

  /**
   * Checks that throughput does not collapse. After a death, the throughput of LEASED jobs once
   * dropped to 1/70 for 15 minutes.
   */
  private static void noMinuteStandsStill(Story story) {
    long first = story.asked().stream().mapToLong(Asked::begun).min().orElseThrow();
    long last = story.asked().stream().mapToLong(Asked::answered).max().orElseThrow();
    Map<Long, Long> ends = new TreeMap<>();
    // Short jobs arrive in bursts of hundreds, so they are not evidence of a steady rate.
    Set<Integer> steady =
        story.asked().stream()
            .map(Asked::spec)
            .filter(spec -> spec.work() != Work.QUICK)
            .map(Spec::n)
            .collect(Collectors.toSet());
    story.ended().stream()
        .filter(row -> row.ended() < last && steady.contains(row.n()))
        .forEach(row -> ends.merge((row.ended() - first) / MINUTE, 1L, Long::sum));
    long minutes = (last - first) / MINUTE;
    double mean = ends.values().stream().mapToLong(n -> n).sum() / (double) Math.max(1, minutes);
    for (long minute = 1; minute < minutes; minute++) {
      assertThat(ends.getOrDefault(minute, 0L))
          .as("ends in minute %d of %s", minute, ends)
          .isGreaterThan((long) (mean / 5));
    }
  }
}
