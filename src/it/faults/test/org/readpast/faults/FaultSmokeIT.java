package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.faults.Programme.Plan;

/** A short run of the fault programme: each kind of fault once, on one server of each kind. */
class FaultSmokeIT {
  @Test
  void nothing_is_lost_doubled_or_out_of_order_whatever_breaks() throws Exception {
    Plan plan =
        new Plan(
            Long.getLong("readpast.faults.seed", System.nanoTime() % 1_000_000),
            List.of(System.getProperty("readpast.faults.servers", "liberty,payara").split(",")),
            Integer.getInteger("readpast.faults.count", 13),
            List.of(),
            Integer.getInteger("readpast.faults.rate", 40),
            1,
            Duration.ofSeconds(3));
    Story story = new Programme(plan).run();
    List<Violation> violations = Checker.check(story);
    String report = ReportText.of(plan, story, violations);
    ReportText.write(report);
    assertThat(violations).as(report).isEmpty();
    assertThat(story.ended()).as(report).hasSizeGreaterThan(200);
  }
}
