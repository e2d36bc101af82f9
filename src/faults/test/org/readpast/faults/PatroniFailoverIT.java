package org.readpast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.server.recovery.Effects.LEASED;
import static org.readpast.server.recovery.Effects.TRANSACTIONAL;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.readpast.server.recovery.Effects;
import org.readpast.server.recovery.Effects.Does;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.ServerProcess;

/**
 * Tests two servers on a PostgreSQL that Patroni manages. One leader loses its power, and another
 * one its network. In the meantime, a client enqueues one job after the other, and records which of
 * them were acknowledged.
 */
@NeedsTools({"patroni", "etcd", "pg_controldata"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PatroniFailoverIT {
  private static final Duration RESUMED = Duration.ofSeconds(60);
  // The limit if the connections are not closed. Each connection times out after its socketTimeout,
  // and so does the next one if it reaches the old leader first.
  private static final Duration RESUMED_UNBROKEN = Duration.ofSeconds(90);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration ALL_ENDED = Duration.ofMinutes(2);
  private static final int BEFORE = 60;

  private final PatroniCluster cluster = new PatroniCluster();
  private Database database;
  private Effects effects;
  private ServerProcess first;
  private ServerProcess second;

  @BeforeAll
  void start() {
    cluster.start();
    database = cluster.newDatabase("readpast");
    effects = new Effects(database);
    String system = PatroniCluster.systemUrl(database);
    first =
        ServerProcess.of(
            effects
                .server("patroni-first")
                .withEnvironment(ServerProcess.SYSTEM_URL, system)
                .withProperty("readpast.worker.queues", TRANSACTIONAL + "," + LEASED));
    // This server polls within seconds because of a notification, not because of its own timer.
    second =
        ServerProcess.of(
            effects
                .server("patroni-second")
                .withEnvironment(ServerProcess.SYSTEM_URL, system)
                .withProperty("readpast.poll-interval", "PT30S"));
    var other = CompletableFuture.runAsync(second::start);
    first.start();
    other.join();
  }

  @AfterAll
  void endAll() {
    for (var server : new ServerProcess[] {first, second}) {
      if (server != null && server.isAlive()) {
        server.kill();
      }
    }
    cluster.close();
  }

  @Test
  @Order(1)
  void acknowledged_jobs_survive_a_leader_that_loses_power() throws Exception {
    String standby = cluster.synchronousStandby();
    String[] lost = new String[1];

    workThrough("a killed leader", RESUMED, () -> lost[0] = cluster.killLeader());

    assertThat(cluster.leader()).as("the synchronous standby leads").isEqualTo(standby);
    assertNoticesAreHeard();
    cluster.start(lost[0]);
    cluster.awaitComplete();
  }

  @Test
  @Order(2)
  void acknowledged_jobs_survive_a_leader_that_is_cut_off_and_reset() throws Exception {
    cluster.awaitComplete();
    String[] frozen = new String[1];

    try {
      workThrough("a frozen leader", RESUMED_UNBROKEN, () -> frozen[0] = cluster.freezeLeader());
      assertThat(cluster.leader()).isNotEqualTo(frozen[0]);
      assertNoticesAreHeard();
    } finally {
      // A watchdog would have restarted the machine long before; see production.md.
      cluster.restart(frozen[0]);
    }
    cluster.awaitComplete();
    enqueueUntilEnded(Does.sleep(0));
  }

  @Test
  @Order(3)
  void jobs_lose_no_attempt_when_the_leader_steps_down() throws Exception {
    cluster.awaitComplete();
    String[] former = new String[1];
    long failures = countedFailures();

    workThrough("a switchover", RESUMED, () -> former[0] = cluster.switchOver());

    assertThat(cluster.leader()).isNotEqualTo(former[0]);
    assertNoticesAreHeard();
    assertThat(countedFailures())
        .as("attempts of transactional jobs that count")
        .isEqualTo(failures);
  }

  /**
   * Counts failures that count as attempts. An attempt that the database interrupted is also stored
   * as a failure, but does not count.
   */
  private long countedFailures() {
    return effects.count(
        """
        select coalesce(sum(attempt - uncounted - 1), 0) from readpast_job_history
        where type = '%s'"""
            .formatted(TRANSACTIONAL));
  }

  /** Breaks the database while jobs run, and checks the outcome of all jobs. */
  private void workThrough(String what, Duration limit, Runnable fault) throws Exception {
    var client = new Client();
    var enqueueing = CompletableFuture.runAsync(client);
    Await.until(
        SOON, "jobs were enqueued before " + what, () -> client.acknowledged.size() >= BEFORE);
    for (var type : new String[] {TRANSACTIONAL, LEASED}) {
      Await.until(SOON, "a job of " + type + " has ended", () -> ended(type) > 0);
    }
    assertThat(client.unanswered).as("before " + what).isEmpty();

    fault.run();
    long broken = System.nanoTime();
    int before = client.acknowledged.size();
    Await.until(
        limit.plus(SOON),
        "jobs were enqueued after " + what,
        () -> client.acknowledged.size() > before + 10);
    Duration enqueued = Duration.ofNanos(System.nanoTime() - broken);
    int after = client.acknowledged.last();
    Await.until(limit.plus(SOON), "the last job has run after " + what, () -> effects(after) == 1);
    Duration worked = Duration.ofNanos(System.nanoTime() - broken);
    client.stop = true;
    enqueueing.get(1, TimeUnit.MINUTES);
    System.out.printf(
        "%s: enqueued again after %d ms, run after %d ms; %d acknowledged, %d not%n",
        what,
        enqueued.toMillis(),
        worked.toMillis(),
        client.acknowledged.size(),
        client.unanswered.size());

    Await.until(
        ALL_ENDED,
        "all jobs have ended",
        () -> effects.count("select count(*) from readpast_job") == 0);
    assertThat(worked).as("time until work resumed").isLessThan(limit);
    assertNothingLost(client);
  }

  private void assertNothingLost(Client client) {
    Set<Integer> kept = new TreeSet<>();
    effects
        .column("select payload->>'n' from readpast_job_history where state = 'COMPLETED'")
        .forEach(n -> assertThat(kept.add(Integer.valueOf(n))).as("job %s once", n).isTrue());
    assertThat(kept).as("acknowledged jobs").containsAll(client.acknowledged);
    assertThat(effects.column("select distinct state from readpast_job_history"))
        .containsExactly("COMPLETED");
    assertThat(
            effects.column(
                "select n from effect where type = '"
                    + TRANSACTIONAL
                    + "' group by n having count(*) <> 1"))
        .as("duplicate transactional effects")
        .isEmpty();
    assertThat(
            effects.column(
                """
                select payload->>'n' from readpast_job_history h where not exists (
                  select 1 from effect e where e.n = cast(h.payload->>'n' as int))"""))
        .as("completed jobs without their effect")
        .isEmpty();
  }

  /** Checks that the listening connections also use the new leader. */
  private void assertNoticesAreHeard() throws Exception {
    Await.until(
        RESUMED,
        "the other server has run a job immediately",
        () -> {
          int n = enqueueUntilEnded(Does.sleep(0));
          return effects.count(
                  "select count(*) from readpast_job_history where payload->>'n' = '"
                      + n
                      + "' and started_at < enqueued_at + interval '2 seconds'")
              == 1;
        });
  }

  /**
   * Enqueues through the first server a job that only the second one may run, and waits until it
   * has ended.
   */
  private int enqueueUntilEnded(Does does) throws Exception {
    effects.enqueue(first, "second-only", TRANSACTIONAL, 1, "", does);
    int n = effects.enqueued();
    Await.until(Duration.ofSeconds(45), "job " + n + " has run", () -> effects(n) > 0);
    return n;
  }

  private long effects(int n) {
    return effects.count("select count(*) from effect where n = " + n);
  }

  private long ended(String type) {
    return effects.count("select count(*) from readpast_job_history where type = '" + type + "'");
  }

  /**
   * Enqueues jobs until it is stopped. Only jobs for which the client has received a response
   * count.
   */
  private final class Client implements Runnable {
    final ConcurrentSkipListSet<Integer> acknowledged = new ConcurrentSkipListSet<>();
    final ConcurrentSkipListSet<Integer> unanswered = new ConcurrentSkipListSet<>();
    volatile boolean stop;

    @Override
    public void run() {
      while (!stop) {
        for (var type : List.of(TRANSACTIONAL, LEASED)) {
          try {
            effects.enqueue(first, type, 1, Does.sleep(50));
            acknowledged.add(effects.enqueued());
          } catch (Exception | AssertionError e) {
            unanswered.add(effects.enqueued());
          }
        }
      }
    }
  }
}
