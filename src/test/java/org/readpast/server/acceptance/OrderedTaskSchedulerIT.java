package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.acceptance.Executions.Attempt;
import org.readpast.support.Acceptance;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * The ordered task scheduler's own batch, twenty times as fast: four tasks of order 100 taking 10.1
 * s, two of 200 taking 9.2, one of 300 taking 8.3, two of 400 taking 7.4, one of 500 taking 6.5.
 */
class OrderedTaskSchedulerIT {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int BATCHES = Acceptance.size(8, 50);
  // Every build runs this beside other tests: there the order is proved, and the time roughly.
  private static final double OVERHEAD_OF_ONE = Acceptance.full() ? 1.15 : 2;
  private static final double OVERHEAD_OF_MANY = Acceptance.full() ? 1.25 : 3;

  /** A wave: how many tasks, and how long each takes. */
  private record Wave(int order, int tasks, long millis) {}

  private static final List<Wave> WAVES =
      List.of(
          new Wave(100, 4, 505),
          new Wave(200, 2, 460),
          new Wave(300, 1, 415),
          new Wave(400, 2, 370),
          new Wave(500, 1, 325));

  private final Executions executions = new Executions(TestPostgres.shared().newDatabase());
  private final ServerProcess first =
      ServerProcess.of(
          executions
              .server("scheduler-first")
              .withProperty("readpast.worker.concurrency", "120")
              .withProperty("readpast.queue.\"five\".concurrency", "5")
              .withProperty("readpast.queue.\"many\".concurrency", "110"));
  private final ServerProcess second =
      ServerProcess.of(
          executions
              .server("scheduler-second")
              .withProperty("readpast.worker.queues", "many")
              .withProperty("readpast.worker.concurrency", "120")
              .withProperty("readpast.queue.\"many\".concurrency", "110"));
  private final Random random = new Random(5);

  @AfterEach
  void endServers() {
    for (var server : new ServerProcess[] {first, second}) {
      if (server.isAlive()) {
        server.kill();
      }
    }
  }

  @Test
  void batches_run_wave_by_wave_in_little_more_than_the_time_of_their_tasks() throws Exception {
    var other = CompletableFuture.runAsync(second::start);
    first.start();
    other.join();
    // What the servers load at their first jobs is no part of the batch; and they learn how long
    // tasks take, by which they decide how many to claim at once.
    executions.enqueue(first, "five", batch("warm", "timed.transactional", 0));
    executions.enqueue(second, "many", batch("warm-too", "timed.leased", 0));
    executions.awaitAllEnded(Duration.ofSeconds(30));

    executions.enqueue(first, "five", batch("one", "timed.transactional", 0));
    executions.awaitAllEnded(Duration.ofSeconds(30));
    List<String> many = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      many.addAll(batch("many-" + i, "timed.leased", 10));
    }
    executions.enqueue(first, "many", many);
    executions.awaitAllEnded(Duration.ofMinutes(2));

    executions.assertAllWell(10 * (BATCHES + 3));
    Map<String, List<Attempt>> attempts = executions.byName();
    assertInOrder("one", attempts, OVERHEAD_OF_ONE);
    for (int i = 0; i < BATCHES; i++) {
      assertInOrder("many-" + i, attempts, OVERHEAD_OF_MANY);
    }
    assertThat(executions.count("select count(distinct server) from execution")).isEqualTo(2);
  }

  /**
   * @param failing percentage of tasks whose first attempt fails
   */
  private List<String> batch(String name, String type, int failing) {
    List<String> jobs = new ArrayList<>();
    for (Wave wave : WAVES) {
      for (int task = 0; task < wave.tasks(); task++) {
        jobs.add(
            """
            {"type":"%s","batch":"%s","wave":%d,
             "payload":{"name":"%s","millis":%d%s}}"""
                .formatted(
                    type,
                    name,
                    wave.order(),
                    name(name, wave, task),
                    wave.millis(),
                    type.equals("timed.leased")
                        ? ",\"failures\":" + (random.nextInt(100) < failing ? 1 : 0)
                        : ""));
      }
    }
    java.util.Collections.shuffle(jobs, random);
    return jobs;
  }

  private static String name(String batch, Wave wave, int task) {
    return batch + "/" + wave.order() + "/" + task;
  }

  /** No task began before all of the waves below had ended; the whole took hardly longer. */
  private static void assertInOrder(
      String batch, Map<String, List<Attempt>> attempts, double overhead) {
    Map<Integer, Duration> critical = new LinkedHashMap<>();
    Instant begin = null;
    Instant end = Instant.MIN;
    for (Wave wave : WAVES) {
      Instant waveEnd = Instant.MIN;
      for (int task = 0; task < wave.tasks(); task++) {
        List<Attempt> tries = attempts.get(name(batch, wave, task));
        assertThat(Executions.began(tries))
            .as("%s in wave %s begins after the waves below", batch, wave.order())
            .isAfterOrEqualTo(end);
        begin =
            begin == null || Executions.began(tries).isBefore(begin)
                ? Executions.began(tries)
                : begin;
        waveEnd = Executions.ended(tries).isAfter(waveEnd) ? Executions.ended(tries) : waveEnd;
        critical.merge(wave.order(), time(tries), (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
      end = waveEnd;
    }
    Duration path = critical.values().stream().reduce(Duration.ZERO, Duration::plus);
    Duration took = Duration.between(begin, end);
    System.Logger log = System.getLogger(OrderedTaskSchedulerIT.class.getName());
    log.log(
        System.Logger.Level.INFO,
        "batch {0} took {1} ms, its critical path {2} ms",
        batch,
        took.toMillis(),
        path.toMillis());
    assertThat((double) took.toMillis() / path.toMillis())
        .as("time of batch %s by its critical path of %s", batch, path)
        .isLessThan(overhead);
  }

  private static Duration time(List<Attempt> tries) {
    Duration work = tries.stream().map(Attempt::took).reduce(Duration.ZERO, Duration::plus);
    return work.plus(PAUSE.multipliedBy(tries.size() - 1L));
  }
}
