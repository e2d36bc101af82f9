package org.readpast.benchmark;

import java.time.Duration;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** What a server with nothing to do takes. */
final class Idle implements Measures {
  private static final String CPU = "idle, 50 queues, CPU of one core per node";
  private static final String STATEMENTS = "idle, 50 queues, statements/s per node";
  private static final int QUEUES = 50;
  // Each minute the history is looked through.
  private static final int SECONDS = 60;
  // After two minutes two fifths of what it takes are still the compiler's.
  private static final long SETTLING_MILLIS = 300_000;

  private final TestPostgres postgres;
  private final Database database;
  private final int workers;

  Idle(TestPostgres postgres, Database database, int workers) {
    this.postgres = postgres;
    this.database = database;
    this.workers = workers;
  }

  @Override
  public void take(Results results) throws Exception {
    try (Readpast readpast = new Readpast("idle", postgres, database, workers)) {
      for (int i = 0; i < QUEUES; i++) {
        readpast.control("do=bulk&queue=idle-" + i + "&jobs=20");
      }
      readpast.awaitHandled(QUEUES * 20);
      // What started and worked is compiled and cleaned up for a while.
      Thread.sleep(SETTLING_MILLIS);
      long nodes =
          TestDatabase.count(database, "select count(*) from readpast_node where state = 'ACTIVE'");
      long start = System.nanoTime();
      Duration before = cpu(readpast);
      Meter.Reading asked = new Meter(postgres, database).during(Idle::pass);
      double nanos = System.nanoTime() - start;
      results.add(CPU, "%", 100 * cpu(readpast).minus(before).toNanos() / nanos / nodes);
      results.add(STATEMENTS, "", asked.statements() / SECONDS / nodes);
    }
  }

  private static boolean pass() throws InterruptedException {
    Thread.sleep(SECONDS * 1_000L);
    return true;
  }

  /** Of the whole server: it has two nodes, that of Readpast's WAR and that of the application. */
  private static Duration cpu(Readpast readpast) {
    return ProcessHandle.of(readpast.server().pid())
        .orElseThrow()
        .info()
        .totalCpuDuration()
        .orElseThrow();
  }

  @Override
  public void aim(Results results) {
    results.atMost(CPU, null, 1);
    results.atMost(STATEMENTS, null, 2);
  }
}
