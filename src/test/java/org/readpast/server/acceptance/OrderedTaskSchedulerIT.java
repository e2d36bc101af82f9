package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.acceptance.Executions.Attempt;
import org.readpast.support.Acceptance;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Runs the batch from the ordered task scheduler's requirements, twenty times as fast: four tasks
 * of order 100 that take 10.1 s, two of order 200 that take 9.2 s, one of order 300 that takes 8.3
 * s, two of order 400 that take 7.4 s, and one of order 500 that takes 6.5 s.
 */
class OrderedTaskSchedulerIT {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int BATCHES = Acceptance.size(8, 50);
  // The limit is half of the tasks of the first waves plus a tenth, so neither server can run all
  // of them.
  private static final String ROOM = Integer.toString(BATCHES * 4 * 11 / 20);
  private static final int ROUNDS_TO_WARM = Acceptance.size(1, 10);
  // Every build runs this test concurrently with others, so it tests the order exactly, but the
  // time only roughly.
  private static final double OVERHEAD_OF_ONE = Acceptance.full() ? 1.15 : 2;
  private static final double OVERHEAD_OF_MANY = Acceptance.full() ? 1.25 : 3;

  /** Describes a wave, with the number of its tasks and the duration of each. */
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
              .withProperty("readpast.queue.\"many\".concurrency", ROOM));
  private final ServerProcess second =
      ServerProcess.of(
          executions
              .server("scheduler-second")
              .withProperty("readpast.worker.queues", "many")
              .withProperty("readpast.worker.concurrency", "120")
              .withProperty("readpast.queue.\"many\".concurrency", ROOM));
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
    // A server that has just started compiles its hot code for a while, on the cores that it shares
    // with the database. A new server also has no estimate yet of the durations of tasks.
    executions.enqueue(first, "five", batch("warm", "timed.transactional", 0));
    for (int round = 0; round < ROUNDS_TO_WARM; round++) {
      runMany("warm-" + round);
    }

    executions.enqueue(first, "five", batch("one", "timed.transactional", 0));
    executions.awaitAllEnded(Duration.ofSeconds(30));
    runMany("many");

    executions.assertAllWell(10 * (BATCHES * (ROUNDS_TO_WARM + 1) + 2));
    Map<String, List<Attempt>> attempts = executions.byName();
    Course one = course("one", attempts);
    report("one batch", one.took(), one.critical());
    assertThat(one.overhead()).as("%s", one).isLessThan(OVERHEAD_OF_ONE);

    List<Course> many =
        IntStream.range(0, BATCHES).mapToObj(i -> course("many-" + i, attempts)).toList();
    Instant begin = many.stream().map(Course::begin).min(Instant::compareTo).orElseThrow();
    Instant end = many.stream().map(Course::end).max(Instant::compareTo).orElseThrow();
    Duration critical = many.stream().map(Course::critical).max(Duration::compareTo).orElseThrow();
    Duration took = Duration.between(begin, end);
    report(BATCHES + " concurrent batches", took, critical);
    assertThat(overhead(took, critical)).as("%s", many).isLessThan(OVERHEAD_OF_MANY);
    assertThat(executions.count("select count(distinct server) from execution")).isEqualTo(2);
  }

  private void runMany(String name) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      jobs.addAll(batch(name + "-" + i, "timed.leased", 10));
    }
    executions.enqueue(first, "many", jobs);
    executions.awaitAllEnded(Duration.ofMinutes(2));
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

  /**
   * Holds the measurements of one batch.
   *
   * @param critical the duration of the longest task in each wave, including its retries
   * @param pauses the times in milliseconds from the end of each wave to the first task of the next
   *     wave
   */
  private record Course(
      String batch, Instant begin, Instant end, Duration critical, List<Long> pauses) {
    Duration took() {
      return Duration.between(begin, end);
    }

    double overhead() {
      return OrderedTaskSchedulerIT.overhead(took(), critical);
    }
  }

  /** Reads the log, and checks that no task began before all lower waves had ended. */
  private static Course course(String batch, Map<String, List<Attempt>> attempts) {
    Instant begin = null;
    Instant end = Instant.MIN;
    Duration critical = Duration.ZERO;
    List<Long> pauses = new ArrayList<>();
    for (Wave wave : WAVES) {
      List<List<Attempt>> tasks =
          IntStream.range(0, wave.tasks())
              .mapToObj(task -> attempts.get(name(batch, wave, task)))
              .toList();
      Instant waveBegin =
          tasks.stream().map(Executions::began).min(Instant::compareTo).orElseThrow();
      assertThat(waveBegin)
          .as("%s in wave %s begins after the waves below", batch, wave.order())
          .isAfterOrEqualTo(end);
      if (begin == null) {
        begin = waveBegin;
      } else {
        pauses.add(Duration.between(end, waveBegin).toMillis());
      }
      end = tasks.stream().map(Executions::ended).max(Instant::compareTo).orElseThrow();
      critical =
          critical.plus(
              tasks.stream()
                  .map(OrderedTaskSchedulerIT::time)
                  .max(Duration::compareTo)
                  .orElseThrow());
    }
    return new Course(batch, Objects.requireNonNull(begin), end, critical, pauses);
  }

  private static void report(String what, Duration took, Duration critical) {
    System.getLogger(OrderedTaskSchedulerIT.class.getName())
        .log(
            System.Logger.Level.INFO,
            "{0} took {1} ms, the critical path {2} ms",
            what,
            took.toMillis(),
            critical.toMillis());
  }

  private static double overhead(Duration took, Duration critical) {
    return (double) took.toMillis() / critical.toMillis();
  }

  private static Duration time(List<Attempt> tries) {
    Duration work = tries.stream().map(Attempt::took).reduce(Duration.ZERO, Duration::plus);
    return work.plus(PAUSE.multipliedBy(tries.size() - 1L));
  }
}
