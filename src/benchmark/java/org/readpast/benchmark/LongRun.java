package org.readpast.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.readpast.support.Database;

/**
 * Measures whether a queue becomes slower, or its server's heap larger, the longer jobs are
 * processed.
 */
final class LongRun implements Measures {
  private static final String TYPE = "bench.leased";
  private static final String WITH_IDLE = "long run alongside an idle transaction";

  private final Readpast readpast;
  private final Database database;
  private final Sizes sizes;
  private final int seconds;
  private final String first;
  private final String last;

  LongRun(Readpast readpast, Database database, Sizes sizes) {
    this.readpast = readpast;
    this.database = database;
    this.sizes = sizes;
    seconds = (int) Math.min(10, sizes.seconds(10, 1));
    first = ", first %d s".formatted(seconds);
    last = ", last %d s".formatted(seconds);
  }

  @Override
  public void take(Results results) throws Exception {
    double rate = readpast.drain(Readpast.QUEUE, TYPE, sizes.of(300_000));
    // The number of jobs is such that the run lasts a minute even if it becomes faster.
    int jobs = (int) (rate * sizes.seconds(80, 8));
    results.add("long run, heap before", "MB", readpast.heap());
    run(results, "long run", jobs);
    results.add("long run, heap after", "MB", readpast.heap());
    try (Connection idle = database.connect()) {
      hold(idle);
      run(results, WITH_IDLE, jobs);
    }
    readpast.table().clear();
  }

  /** Opens a snapshot, so that vacuum cannot remove dead rows. */
  private static void hold(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement.execute("select 1");
    }
  }

  private void run(Results results, String name, int jobs) {
    readpast.pause(Readpast.QUEUE, true);
    readpast.table().prefill(Readpast.QUEUE, TYPE, jobs);
    readpast.drainPaused(Readpast.QUEUE, jobs);
    int[] tenths =
        Arrays.stream(readpast.control("do=pace").split(" ")).mapToInt(Integer::parseInt).toArray();
    int from = 0;
    while (tenths[from] == 0) {
      from++;
    }
    // The first and the last tenth of a second are incomplete.
    from++;
    int to = tenths.length - 1;
    int window = 10 * seconds;
    results.add(name + ", duration", "s", (to - from) / 10.0);
    results.add(name + first, "jobs/s", rate(tenths, from, window));
    results.add(name + last, "jobs/s", rate(tenths, to - window, window));
  }

  private static double rate(int[] tenths, int from, int window) {
    return Arrays.stream(tenths, from, from + window).sum() * 10.0 / window;
  }

  @Override
  public void aim(Results results) {
    results.atLeast("long run" + last, "long run" + first, 0.95);
    results.atLeast(WITH_IDLE + last, WITH_IDLE + first, 0.9);
    // Garbage that the collector has not found yet differs by a few percent between calls.
    results.atMost("long run, heap after", "long run, heap before", 1.1);
  }
}
