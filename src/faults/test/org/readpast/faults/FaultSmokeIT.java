package org.readpast.faults;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.FaultRun.Plan;

/** Runs a short version of the fault suite: one fault of each family, on two servers. */
class FaultSmokeIT {
  private static final List<String> KINDS =
      List.of(Story.Injected.KILL, Faults.FROZEN, "database restarted", "cut after commit");

  @Test
  void faults_cause_no_lost_duplicate_or_unordered_job() throws Exception {
    Runs.assertUnbroken(
        new Plan(
            Runs.seed(),
            Runs.servers("liberty,liberty"),
            Way.valueOf(System.getProperty("readpast.faults.way", "DIRECT")),
            Integer.getInteger("readpast.faults.count", KINDS.size()),
            1,
            Runs.kinds(KINDS),
            Load.MIXED,
            40,
            0,
            Duration.ofSeconds(3),
            Runs.KEPT,
            null));
  }
}
