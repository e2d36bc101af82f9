package org.readpast.benchmark;

import java.time.Duration;
import org.readpast.support.Await;

/**
 * Compares jobs that wait for other jobs with jobs that do not. In both cases, an application
 * enqueues the jobs.
 */
final class Ordered implements Measures {
  private static final String UNORDERED = "leased, enqueued by an application";
  private static final int GROUPS = 1_000;
  private static final int WAVES = 100;

  private final Readpast readpast;
  private final int jobs;

  Ordered(Readpast readpast, Sizes sizes) {
    this.readpast = readpast;
    // The number is rounded, so that each wave has the same number of jobs.
    jobs = sizes.of(100_000) / WAVES * WAVES;
  }

  @Override
  public void take(Results results) {
    // The reference is measured before and after, because the speed of a machine drifts.
    add(results, UNORDERED, "bulk");
    add(results, "leased, jobs in " + GROUPS + " groups", "grouped&groups=" + GROUPS);
    String batch = "batch-" + System.nanoTime();
    add(results, "leased, jobs in " + WAVES + " waves", "waves&waves=" + WAVES + "&batch=" + batch);
    add(results, UNORDERED, "bulk");
  }

  private void add(Results results, String name, String how) {
    readpast.pause(Readpast.QUEUE, true);
    readpast.control("do=" + how + "&queue=" + Readpast.QUEUE + "&jobs=" + jobs);
    Await.until(
        Duration.ofMinutes(5), "all dependencies are resolved", readpast.table()::allResolved);
    readpast.table().vacuum();
    results.add(name, "jobs/s", readpast.drainPaused(Readpast.QUEUE, jobs));
  }

  @Override
  public void aim(Results results) {
    results.atLeast("leased, jobs in " + GROUPS + " groups", UNORDERED, 0.65);
    results.atLeast("leased, jobs in " + WAVES + " waves", UNORDERED, 0.65);
  }
}
