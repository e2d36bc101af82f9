package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.FaultRun.Plan;

/**
 * Checks that the fault suite finds bugs. Each bug is planted in the code of the servers, one after
 * the other. To select some of the bugs, use {@code
 * -Dreadpast.faults.mutants=FREES_NOTHING,GROUP_OF_TWO}.
 */
class MutantsIT {
  private static final int FAULTS = 6;

  static List<Mutant> mutants() {
    String wanted = System.getProperty("readpast.faults.mutants");
    return wanted == null
        ? List.of(Mutant.values())
        : Stream.of(wanted.split(",")).map(Mutant::valueOf).toList();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void bug_is_found(Mutant mutant) throws Exception {
    Plan plan =
        new Plan(
            Runs.seed(),
            Runs.servers("liberty,liberty"),
            Way.DIRECT,
            FAULTS,
            1,
            mutant.kinds(),
            Load.MIXED,
            mutant.rate(),
            0,
            Duration.ofSeconds(3),
            Runs.KEPT,
            mutant);
    Story story = new FaultRun(plan).run();
    List<Violation> violations = Checker.check(story);
    ReportText.write(ReportText.of(plan, story, violations));
    assertThat(violations)
        .as(plan.toString())
        .extracting(Violation::invariant)
        .anyMatch(found -> found.startsWith(mutant.invariant()));
  }
}
