package org.readpast.benchmark;

import java.time.Duration;
import java.util.Locale;
import org.readpast.support.Await;

/** Measures whether a queue becomes slower if more jobs wait in it. */
final class Depth implements Measures {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String TYPE = "bench.leased";
  private static final int SHALLOW = 10_000;
  private static final String AT_SHALLOW = name(SHALLOW);
  // The mark is not the very last job, because near the end some of the workers find no jobs.
  private static final int MARK = 8_000;
  // The measurement is repeated, because a single run is very short.
  private static final int TIMES = 10;
  private static final int GROUPS = 1_000;

  private final Readpast readpast;
  private final Sizes sizes;
  private final int due;

  Depth(Readpast readpast, Sizes sizes) {
    this.readpast = readpast;
    this.sizes = sizes;
    due = Math.max(TIMES * 5 * SHALLOW, sizes.of(5_000_000));
  }

  private static String name(int due) {
    return String.format(Locale.ROOT, "drain, %,d due jobs", due);
  }

  @Override
  public void take(Results results) {
    // Half of the shallow runs come before the deep runs and half after, in case the speed of the
    // machine changes in between.
    shallow(results);
    deep(results);
    shallow(results);
  }

  private void shallow(Results results) {
    for (int i = 0; i < TIMES / 2; i++) {
      readpast.pause(Readpast.QUEUE, true);
      readpast.table().prefill(Readpast.QUEUE, TYPE, SHALLOW);
      results.add(AT_SHALLOW, "jobs/s", first());
      readpast.awaitEmpty(Readpast.QUEUE);
    }
  }

  private void deep(Results results) {
    JobTable table = readpast.table();
    readpast.pause(Readpast.QUEUE, true);
    table.fillScheduled(Readpast.QUEUE, TYPE, sizes.of(1_000_000));
    table.fillBlocked(
        Readpast.QUEUE, TYPE, sizes.of(1_000_000), Math.min(GROUPS, sizes.of(1_000_000)));
    table.fill(Readpast.QUEUE, TYPE, due);
    table.vacuum();
    for (int i = 0; i < TIMES; i++) {
      results.add(name(due), "jobs/s", first());
      readpast.pause(Readpast.QUEUE, true);
      Await.until(LIMIT, "the queue is paused", () -> table.count("state = 'RUNNING'") == 0);
    }
    table.clear();
  }

  /** Returns the number of jobs per second until the marked job. */
  private double first() {
    readpast.control("do=reset&mark=" + MARK);
    readpast.pause(Readpast.QUEUE, false);
    Readpast.await(MARK + " jobs have run", () -> readpast.seen().markedNanos() > 0);
    Seen seen = readpast.seen();
    return (MARK - 1) * 1e9 / (seen.markedNanos() - seen.firstNanos());
  }

  @Override
  public void aim(Results results) {
    results.atLeast(name(due), AT_SHALLOW, 0.95);
  }
}
