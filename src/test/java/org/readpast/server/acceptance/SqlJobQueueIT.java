package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.server.acceptance.Executions.Attempt;
import org.readpast.support.Acceptance;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestPostgres;

/**
 * Tests an SQL job queue with predecessors: groups and random graphs run concurrently, with some
 * failing attempts and eight receivers on two nodes.
 */
class SqlJobQueueIT {
  private static final int GROUPS = Acceptance.size(150, 10_000);
  private static final int JOBS_PER_GROUP = 10;
  private static final int GRAPHS = Acceptance.size(20, 1_000);
  private static final int NODES = 20;
  private static final int AT_ONCE = 5_000;
  private static final int WAKE_UPS = Acceptance.size(20, 200);
  private static final Duration LIMIT = Duration.ofMinutes(Acceptance.size(2, 20));

  private final Executions executions = new Executions(TestPostgres.shared().newDatabase());
  private final ServerProcess first = ServerProcess.of(withFourReceivers("sql-queue-first"));
  private final ServerProcess second = ServerProcess.of(withFourReceivers("sql-queue-second"));
  private final Random random = new Random(20);

  /** Contains the predecessors of each follower. */
  private final Map<String, TreeSet<String>> predecessors = new HashMap<>();

  private org.readpast.support.ServerSpec withFourReceivers(String name) {
    return executions
        .server(name)
        .withProperty("readpast.worker.queue-concurrency", "4")
        // The poll interval is so long that polling cannot replace a wake-up.
        .withProperty("readpast.poll-interval", "PT30S");
  }

  @AfterEach
  void endServers() {
    for (var server : new ServerProcess[] {first, second}) {
      if (server.isAlive()) {
        server.kill();
      }
    }
  }

  @Test
  void groups_and_graphs_run_in_order_and_leave_no_job() throws Exception {
    var other = CompletableFuture.runAsync(second::start);
    first.start();
    other.join();

    List<String> jobs = new ArrayList<>(groups());
    for (int i = 0; i < jobs.size(); i += AT_ONCE) {
      executions.enqueue(first, "ordered", jobs.subList(i, Math.min(i + AT_ONCE, jobs.size())));
    }
    for (int graph = 0; graph < GRAPHS; graph++) {
      executions.enqueue(second, "ordered", graph(graph));
    }
    executions.awaitAllEnded(LIMIT);

    executions.assertAllWell(GROUPS * JOBS_PER_GROUP + GRAPHS * NODES);
    Map<String, List<Attempt>> attempts = executions.byName();
    assertThat(attempts).hasSize(GROUPS * JOBS_PER_GROUP + GRAPHS * NODES);
    assertThat(inversions(attempts)).isEmpty();
    assertThat(attempts.values()).as("repeated attempts").anyMatch(tries -> tries.size() > 1);
    assertConsumersAreWoken();
  }

  /**
   * Each job is enqueued to an idle queue, and receivers learn of it from a notification and not
   * from a poll.
   */
  private void assertConsumersAreWoken() {
    for (int i = 0; i < WAKE_UPS; i++) {
      executions.enqueue(
          i % 2 == 0 ? first : second, "woken", List.of(job("w" + i, "\"priority\":4")));
      executions.awaitAllEnded(LIMIT);
    }
    List<Long> millis = executions.latencies("w%");
    System.getLogger(SqlJobQueueIT.class.getName())
        .log(
            System.Logger.Level.INFO,
            "wake-up latency of {0} jobs: median {1} ms, highest {2} ms",
            millis.size(),
            millis.get(millis.size() / 2),
            millis.get(millis.size() - 1));
    assertThat(millis).hasSize(WAKE_UPS).allMatch(latency -> latency < 10_000);
  }

  /** Orders the jobs in rounds, so that each group has one job in every part of the queue. */
  private List<String> groups() {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < JOBS_PER_GROUP; i++) {
      for (int group = 0; group < GROUPS; group++) {
        String name = "g" + group + "." + i;
        if (i > 0) {
          predecessors.put(name, new TreeSet<>(List.of("g" + group + "." + (i - 1))));
        }
        jobs.add(job(name, "\"group\":\"" + group + "\""));
      }
    }
    return jobs;
  }

  /** Returns jobs in random order, each of which follows up to three others. */
  private List<String> graph(int graph) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      String name = "d" + graph + "." + i;
      TreeSet<String> after = new TreeSet<>();
      for (int edge = 0; i > 0 && edge < 3; edge++) {
        after.add("d" + graph + "." + random.nextInt(i));
      }
      predecessors.put(name, after);
      jobs.add(
          job(
              name,
              "\"ref\":\"%s\",\"after\":[%s]"
                  .formatted(
                      name, after.isEmpty() ? "" : "\"" + String.join("\",\"", after) + "\"")));
    }
    Collections.shuffle(jobs, random);
    return jobs;
  }

  private String job(String name, String place) {
    return """
    {"type":"timed.leased","payload":{"name":"%s","millis":%d,"failures":%d},%s}"""
        .formatted(name, random.nextInt(3), random.nextInt(20) == 0 ? 1 : 0, place);
  }

  private List<String> inversions(Map<String, List<Attempt>> attempts) {
    List<String> inversions = new ArrayList<>();
    predecessors.forEach(
        (follower, all) -> {
          for (String predecessor : all) {
            var end = Executions.ended(attempts.get(predecessor));
            var start = Executions.began(attempts.get(follower));
            if (start.isBefore(end)) {
              inversions.add(
                  follower + " began at " + start + ", " + predecessor + " ended " + end);
            }
          }
        });
    return inversions;
  }
}
