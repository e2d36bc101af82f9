package org.readpast.faults;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.faults.Programme.Plan;

/** A short run of the fault programme: each kind of fault once, on one server of each kind. */
class FaultSmokeIT {
  @Test
  void nothing_is_lost_doubled_or_out_of_order_whatever_breaks() throws Exception {
    Runs.assertUnbroken(
        new Plan(
            Runs.seed(),
            Runs.servers("liberty,payara"),
            Faults.KINDS,
            1,
            List.of(),
            40,
            1,
            Duration.ofSeconds(3),
            null));
  }
}
