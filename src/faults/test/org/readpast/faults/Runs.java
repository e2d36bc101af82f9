package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.readpast.faults.Programme.Plan;

/** What runs of the programme share. */
final class Runs {
  /** Longer than any run: what has ended is looked at in the end. */
  static final Duration KEPT = Duration.ofDays(90);

  private Runs() {}

  /** Of all chance: {@code -Dreadpast.faults.seed}, or a new one; the report names it. */
  static long seed() {
    return Long.getLong("readpast.faults.seed", System.nanoTime() % 1_000_000);
  }

  /** {@code -Dreadpast.faults.servers}, or these. */
  static List<String> servers(String usually) {
    return List.of(System.getProperty("readpast.faults.servers", usually).split(","));
  }

  /** {@code -Dreadpast.faults.kinds}, or these. */
  static List<String> kinds(List<String> usually) {
    String wanted = System.getProperty("readpast.faults.kinds");
    return wanted == null ? usually : List.of(wanted.split(","));
  }

  static Story assertUnbroken(Plan plan) throws Exception {
    Story story = new Programme(plan).run();
    List<Violation> violations = Checker.check(story);
    String report = ReportText.of(plan, story, violations);
    ReportText.write(report);
    assertThat(violations).as(report).isEmpty();
    assertThat(story.ended()).as(report).hasSizeGreaterThan(5 * plan.faults());
    assertThat(story.faults()).as(report).hasSizeGreaterThanOrEqualTo(plan.faults());
    return story;
  }
}
