package org.readpast.benchmark;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.support.Database;
import org.readpast.support.TestPostgres;

/** Runs two servers on one database, each with its own queue, and one queue that both process. */
final class Pair implements AutoCloseable {
  private final Readpast first;
  private final Readpast second;

  Pair(TestPostgres postgres, Database database, int workers) {
    first = server("first", postgres, database, workers, Readpast.QUEUE, Readpast.BOTH);
    second = server("second", postgres, database, workers, Readpast.ELSEWHERE, Readpast.BOTH);
    first.create(Readpast.QUEUE);
    second.create(Readpast.ELSEWHERE);
    first.control("do=bulk&queue=" + Readpast.BOTH + "&jobs=1000");
    first.awaitEmpty(Readpast.BOTH);
  }

  private static Readpast server(
      String name, TestPostgres postgres, Database database, int workers, String... queues) {
    return new Readpast(
        name,
        postgres,
        database,
        workers,
        war -> war,
        spec -> spec.withProperty("readpast.worker.queues", String.join(",", queues)));
  }

  /**
   * Holds the rate at which a backlog was processed, and the numbers of jobs that were handled
   * twice and never.
   */
  record Drained(double perSecond, long duplicates, long missing) {}

  /** Processes a backlog with both servers, or with the first server alone. */
  Drained drain(String type, int jobs, boolean both) {
    String queue = both ? Readpast.BOTH : Readpast.QUEUE;
    List<Readpast> servers = both ? List.of(first, second) : List.of(first);
    first.pause(queue, true);
    first.table().prefill(queue, type, jobs);
    servers.forEach(server -> server.control("do=reset&ids=" + 2 * jobs));
    first.pause(queue, false);
    // The servers are queried, because polling the database for the number of remaining jobs would
    // take half of its capacity.
    Readpast.await(jobs + " jobs have run", () -> together(servers).jobs() >= jobs);
    first.awaitEmpty(queue);
    Set<String> ids = new HashSet<>();
    for (Readpast server : servers) {
      ids.addAll(server.ids());
    }
    Seen seen = together(servers);
    return new Drained(seen.perSecond(), seen.jobs() - ids.size(), jobs - ids.size());
  }

  private static Seen together(List<Readpast> servers) {
    return servers.stream().map(Readpast::seen).reduce(Seen::and).orElseThrow();
  }

  /**
   * Returns the delay from the enqueue on the first server to the start of the handler on the
   * second server.
   */
  Peer.Latency latency(String type, int perSecond, int seconds) {
    return first.latency(second, Readpast.ELSEWHERE, type, perSecond, seconds);
  }

  /**
   * Warms the servers up until frequently run code has been compiled. Warming up takes as long as a
   * round, because the two servers share the processors with their compilers.
   */
  void warm() {
    for (int i = 0; i < 3; i++) {
      for (boolean both : List.of(false, true)) {
        drain("bench.leased", 100_000, both);
        drain("bench.transactional", 15_000, both);
      }
      latency("bench.transactional", 400, 5);
      latency("bench.leased", 400, 5);
    }
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }
}
