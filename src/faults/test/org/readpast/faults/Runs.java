package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.readpast.faults.FaultRun.Plan;

/** Contains code that all runs of the fault suite share. */
final class Runs {
  /** The retention is longer than any run, because ended jobs are checked at the end. */
  static final Duration KEPT = Duration.ofDays(90);

  private Runs() {}

  /**
   * Returns the seed of all random numbers: {@code -Dreadpast.faults.seed}, or a new one that the
   * report names.
   */
  static long seed() {
    return Long.getLong("readpast.faults.seed", System.nanoTime() % 1_000_000);
  }

  /** Returns the servers that {@code -Dreadpast.faults.servers} specifies, or the given ones. */
  static List<String> servers(String usually) {
    return List.of(System.getProperty("readpast.faults.servers", usually).split(","));
  }

  /**
   * Returns the kinds of faults that {@code -Dreadpast.faults.kinds} specifies, or the given ones.
   */
  static List<String> kinds(List<String> usually) {
    String wanted = System.getProperty("readpast.faults.kinds");
    return wanted == null ? usually : List.of(wanted.split(","));
  }

  static Story assertUnbroken(Plan plan) throws Exception {
    Story story = new FaultRun(plan).run();
    List<Violation> violations = Checker.check(story);
    String report = ReportText.of(plan, story, violations);
    ReportText.write(report);
    assertThat(violations).as(report).isEmpty();
    assertThat(story.ended()).as(report).hasSizeGreaterThan(5 * plan.faults());
    assertThat(story.faults()).as(report).hasSizeGreaterThanOrEqualTo(plan.faults());
    return story;
  }
}
