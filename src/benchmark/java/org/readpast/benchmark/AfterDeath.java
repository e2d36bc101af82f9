package org.readpast.benchmark;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Compares the throughput of a server after another server was killed with its throughput before.
 *
 * <p>The compared rates are those of the surviving server alone. During the first measurement, the
 * other server runs but processes no jobs, so it leaves the processors to the survivor like a dead
 * server. Before it is killed, the other server also processes the queue for some seconds. The
 * survivor is measured again after it has taken over the jobs of the dead server. The survivor is
 * always busy, because the backlog outlasts the measurement, and no job is enqueued in the
 * meantime. Each case has its own database and servers, because dead rows would slow the next case
 * down.
 */
final class AfterDeath implements Measures {
  private static final String QUEUE = Readpast.BOTH;
  private static final String DOOMED = "doomed";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  // The server is warmed up several times, because a running JIT compiler would make the first rate
  // too low.
  private static final int WARM_UPS = 4;
  // The time after which the server that is to be killed claims as many jobs at a time as a busy
  // node does.
  private static final int JOINED_SECONDS = 5;
  // The time from the end of the first measurement to the takeover, which happens within 25 s of
  // the death.
  private static final int BETWEEN_SECONDS = JOINED_SECONDS + 30;
  // The factor allows for a rising rate and a slow takeover, because the backlog must not run out.
  private static final double SPARE = 1.2;
  private static final int RESERVE = 300_000;

  private static final List<Case> CASES =
      List.of(
          new Case("leased", Duration.ZERO),
          new Case("leased", Duration.ofMillis(10)),
          new Case("transactional", Duration.ZERO),
          new Case("transactional", Duration.ofMillis(10)));

  private final TestPostgres postgres;
  private final int workers;
  private final Sizes sizes;

  AfterDeath(TestPostgres postgres, int workers, Sizes sizes) {
    this.postgres = postgres;
    this.workers = workers;
    this.sizes = sizes;
  }

  /**
   * Describes the jobs of one receive mode.
   *
   * @param pause how long each job takes
   */
  private record Case(String mode, Duration pause) {
    String type() {
      return "bench." + mode;
    }

    private String name() {
      return mode + (pause.isZero() ? ", no-op jobs" : ", jobs of " + pause.toMillis() + " ms");
    }

    String before() {
      return name() + ", before a node's death";
    }

    String after() {
      return name() + ", after a node's death";
    }
  }

  @Override
  public void take(Results results) throws Exception {
    for (Case one : CASES) {
      Database database = postgres.newDatabase();
      try (Readpast survivor = server("survivor", database, workers);
          Readpast doomed = server(DOOMED, database, 0)) {
        double rate = warm(survivor, one);
        fill(survivor, one, backlog(rate, seconds(20) + BETWEEN_SECONDS + seconds(60)));
        results.add(one.before(), "jobs/s", rate(survivor, seconds(20)));
        joinIn(survivor, doomed, one);
        doomed.server().kill();
        Await.until(LIMIT, "the jobs were taken over", () -> takenOver(database));
        double after = rate(survivor, seconds(60));
        if (survivor.table().left(QUEUE) == 0) {
          throw new IllegalStateException(one.after() + ": the backlog was drained too soon");
        }
        results.add(one.after(), "jobs/s", after);
      }
      // Empties the table, because vacuuming its dead rows would disturb the next case.
      new JobTable(postgres, database).clear();
    }
  }

  /** Returns the number of jobs that last longer than the given seconds at about this rate. */
  static int backlog(double rate, double seconds) {
    return (int) (rate * seconds * SPARE) + RESERVE;
  }

  private double seconds(int seconds) {
    return sizes.seconds(seconds, 5);
  }

  private Readpast server(String name, Database database, int concurrency) {
    return new Readpast(
        name,
        postgres,
        database,
        workers,
        war -> war,
        spec ->
            spec.withProperty("readpast.worker.queues", QUEUE)
                .withProperty(
                    "readpast.queue.\"" + QUEUE + "\".concurrency", Integer.toString(concurrency)));
  }

  /** Returns the approximate number of jobs per second that the survivor processes. */
  private double warm(Readpast survivor, Case one) {
    survivor.create(QUEUE);
    int jobs = sizes.of(one.mode().equals("leased") ? 150_000 : 20_000);
    double rate = 0;
    for (int i = 0; i < WARM_UPS; i++) {
      rate = survivor.drain(QUEUE, one.type(), jobs);
    }
    return one.pause().isZero() ? rate : workers * 1e3 / one.pause().toMillis();
  }

  private static void fill(Readpast survivor, Case one, int jobs) {
    survivor.pause(QUEUE, true);
    survivor.table().prefill(QUEUE, one.type(), jobs);
    survivor.reset();
    survivor.pausePerJob(one.pause());
    survivor.pause(QUEUE, false);
    Readpast.await("the first jobs have run", () -> survivor.seen().jobs() > 0);
  }

  private static double rate(Readpast server, double seconds) throws InterruptedException {
    long jobs = server.seen().jobs();
    long from = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep((long) (seconds * 1e3));
    return (server.seen().jobs() - jobs) * 1e9 / (System.nanoTime() - from);
  }

  /** Makes the server that is to be killed process the queue as well. */
  private void joinIn(Readpast survivor, Readpast doomed, Case one) throws InterruptedException {
    doomed.reset();
    doomed.pausePerJob(one.pause());
    // A setting made at run time applies to both servers, and overrides their configuration.
    survivor.concurrency(QUEUE, workers);
    Readpast.await("the doomed server runs jobs", () -> doomed.seen().jobs() > 0);
    TimeUnit.SECONDS.sleep(JOINED_SECONDS);
  }

  /** Returns true when the nodes of the dead server have been declared dead and hold no leases. */
  private static boolean takenOver(Database database) {
    return TestDatabase.count(
            database,
            """
            select (select count(*) from readpast_node where name = '%1$s' and state <> 'DEAD')
              + (select count(*) from readpast_lease l join readpast_node n on n.no = l.node
                  where n.name = '%1$s')"""
                .formatted(DOOMED))
        == 0;
  }

  @Override
  public void aim(Results results) {
    for (Case one : CASES) {
      results.atLeast(one.after(), one.before(), 0.95);
    }
  }
}
