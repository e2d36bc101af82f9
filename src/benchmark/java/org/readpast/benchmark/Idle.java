package org.readpast.benchmark;

import java.time.Duration;
import java.time.Instant;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;

/** Measures what a server consumes while it has nothing to do. */
final class Idle implements Measures {
  private static final String CPU = "idle, 50 queues, share of one CPU core per node";
  private static final String STATEMENTS = "idle, 50 queues, statements/s per node";
  private static final int QUEUES = 50;
  // The time is long enough to include the pruning of the history, which happens every minute.
  private static final int SECONDS = 60;
  // For some time after a load, code is still compiled and memory is cleaned up. Two minutes after
  // the start, the JIT compiler still uses two fifths of the server's processor time.
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final Duration UP = Duration.ofMinutes(5);

  private final Readpast readpast;
  private final Database database;
  private final Meter meter;

  Idle(Readpast readpast, Database database, Meter meter) {
    this.readpast = readpast;
    this.database = database;
    this.meter = meter;
  }

  @Override
  public void take(Results results) throws Exception {
    for (int i = 0; i < QUEUES; i++) {
      readpast.control("do=bulk&queue=idle-" + i + "&jobs=20");
    }
    Await.until(Duration.ofMinutes(1), "no job is left", () -> readpast.table().count("true") == 0);
    Thread.sleep(pause().toMillis());
    long nodes =
        TestDatabase.count(database, "select count(*) from readpast_node where state = 'ACTIVE'");
    long start = System.nanoTime();
    Duration before = cpu();
    Meter.Reading asked = meter.during(Idle::pass);
    double nanos = System.nanoTime() - start;
    results.add(CPU, "%", 100 * cpu().minus(before).toNanos() / nanos / nodes);
    results.add(STATEMENTS, "", asked.statements() / SECONDS / nodes);
  }

  private Duration pause() {
    Duration up = Duration.between(process().startInstant().orElseThrow(), Instant.now());
    Duration left = UP.minus(up);
    return left.compareTo(QUIET) > 0 ? left : QUIET;
  }

  private static boolean pass() throws InterruptedException {
    Thread.sleep(SECONDS * 1_000L);
    return true;
  }

  /**
   * Returns the processor time of the whole server, which has two nodes: one in Readpast's WAR and
   * one in the application.
   */
  private Duration cpu() {
    return process().totalCpuDuration().orElseThrow();
  }

  private ProcessHandle.Info process() {
    return ProcessHandle.of(readpast.server().pid()).orElseThrow().info();
  }

  @Override
  public void aim(Results results) {
    results.atMost(CPU, null, 1);
    results.atMost(STATEMENTS, null, 2);
  }
}
