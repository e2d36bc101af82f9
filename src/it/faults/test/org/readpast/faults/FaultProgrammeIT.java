package org.readpast.faults;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.faults.Programme.Plan;

/** The fault programme in full, on each pair of servers, with the lease as it is by default. */
class FaultProgrammeIT {
  private static final int FAULTS = Integer.getInteger("readpast.faults.count", 180);

  @ParameterizedTest
  @ValueSource(strings = {"liberty,liberty", "payara,payara", "liberty,payara"})
  void nothing_is_lost_doubled_or_out_of_order_whatever_breaks(String servers) throws Exception {
    Runs.assertUnbroken(
        new Plan(
            Runs.seed() + servers.hashCode(),
            List.of(servers.split(",")),
            FAULTS,
            2,
            List.of(),
            60,
            8,
            Duration.ofSeconds(10),
            null));
  }
}
