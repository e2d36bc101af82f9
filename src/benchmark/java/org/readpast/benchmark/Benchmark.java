package org.readpast.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.TestPostgres;

/**
 * Measures Readpast, the limit of PostgreSQL itself and other queues in turn, several times, on one
 * durable PostgreSQL, and writes the results to {@code target/benchmark}.
 *
 * <p>The properties are: {@code -Dbenchmark.rounds=3}; {@code -Dbenchmark.size=1.0}, a factor for
 * the numbers of jobs; {@code
 * -Dbenchmark.only=leased,transactional,enqueue,latency,cost,ordered,peers} or {@code
 * depth,long,two-servers,other-node,xa,idle,after-death,memory,many-queues} for some of the
 * measures; {@code -Dbenchmark.keep=true} to append the figures to {@value History#FILE}.
 */
public final class Benchmark {
  // There are three workers for each core; with eight, short jobs are slower by a tenth.
  private static final int WORKERS = 6;
  private static final String RATE = "jobs/s";

  private final Results results = new Results();
  private final TestPostgres postgres =
      TestPostgres.durable(Meter.SETTING, "max_prepared_transactions=100");
  private final Database peers = postgres.newDatabase();
  private final int rounds = Integer.getInteger("benchmark.rounds", 3);
  private final Sizes sizes =
      new Sizes(Double.parseDouble(System.getProperty("benchmark.size", "1")));
  private final Set<String> failed = new TreeSet<>();
  private final Set<String> only = Set.of(System.getProperty("benchmark.only", "all").split(","));

  private Benchmark() {}

  public static void main(String[] arguments) throws Exception {
    int status = 1;
    try {
      new Benchmark().run();
      status = 0;
    } catch (Exception | Error e) {
      // The failure is printed, because it would be lost when the program exits.
      e.printStackTrace();
    } finally {
      // The process exits explicitly, because some of the peers leave threads behind.
      Runtime.getRuntime().exit(status);
    }
  }

  private interface NewPeer {
    Peer in(Database database) throws Exception;
  }

  /** Pairs a peer with the numbers of jobs that it processes in some seconds. */
  private record Entrant(NewPeer peer, int drained, int singly, int inBulk) {}

  private static final List<Entrant> ENTRANTS =
      List.of(
          new Entrant(DbSchedulerPeer::new, 20_000, 10_000, 50_000),
          new Entrant(JobRunrPeer::new, 4_000, 4_000, 10_000),
          new Entrant(QuartzPeer::new, 2_000, 2_000, 3_000),
          new Entrant(database -> artemis(1), 30_000, 10_000, 50_000),
          // The rate does not depend on whether jobs are enqueued singly or in bulk.
          new Entrant(database -> artemis(100), 300_000, 0, 0));

  private static Peer artemis(int perCommit) throws Exception {
    return new ArtemisPeer(
        Files.createTempDirectory(BuildDirectories.servers().resolve("run"), "artemis-"),
        perCommit);
  }

  private void run() throws Exception {
    // The history is read first, so that an error in it is reported immediately and not after all
    // measurements.
    History history = History.read(Path.of(History.FILE));
    Run run = Run.now(Machine.here(postgres.superuser()), rounds, sizes.size());
    Database raw = postgres.newDatabase();
    Ceiling ceiling = new Ceiling(raw);
    if (wanted("leased", "transactional", "enqueue", "latency", "peers")
        || wanted("cost", "ordered", "depth", "long", "idle")) {
      oneServer(ceiling, new Meter(postgres, raw));
    }
    if (wanted("two-servers", "other-node")) {
      twoServers(ceiling);
    }
    take("xa", new Xa(postgres, rounds, sizes));
    take("after-death", new AfterDeath(postgres, WORKERS, sizes));
    take("memory", new Memory(postgres, WORKERS, sizes));
    take("many-queues", new ManyQueues(postgres, WORKERS, sizes));
    aim();
    var outcome = new Outcome(results, run, history);
    outcome.write(Path.of("target/benchmark"));
    System.out.println(outcome.summary());
    if (!failed.isEmpty()) {
      throw new IllegalStateException("could not be measured: " + failed);
    }
    if (Boolean.getBoolean("benchmark.keep")) {
      outcome.keep();
    }
  }

  private void oneServer(Ceiling ceiling, Meter rawMeter) throws Exception {
    Database database = postgres.newDatabase();
    try (Readpast readpast = new Readpast("benchmark", postgres, database, WORKERS)) {
      readpast.warm();
      Meter meter = new Meter(postgres, database);
      Measures cost = new Cost(ceiling, readpast, rawMeter, meter, sizes);
      // This measure is warmed up at full size, because no other measure runs the same code.
      Measures ordered = new Ordered(readpast, sizes);
      // The first round only warms this JVM up, so its results are dropped.
      for (int round = 0; round <= rounds; round++) {
        System.out.printf("%tT round %d of %d%n", LocalTime.now(), round, rounds);
        if (round == 1) {
          results.forget();
        }
        Sizes some = round == 0 ? sizes.toWarmUp() : sizes;
        drains(ceiling, readpast, some);
        enqueues(ceiling, readpast, some);
        latencies(ceiling, readpast);
        if (round > 0) {
          take("cost", cost);
        }
        take("ordered", ordered);
        for (Entrant entrant : wanted("peers") ? ENTRANTS : List.<Entrant>of()) {
          peer(entrant, some);
        }
      }
      // Measures that take minutes are run only once.
      take("depth", new Depth(readpast, sizes));
      take("long", new LongRun(readpast, database, sizes));
      take("idle", new Idle(readpast, database, meter));
    }
  }

  private void twoServers(Ceiling ceiling) throws Exception {
    try (Pair pair = new Pair(postgres, postgres.newDatabase(), WORKERS)) {
      pair.warm();
      for (int round = 1; round <= rounds; round++) {
        System.out.printf("%tT two servers, round %d of %d%n", LocalTime.now(), round, rounds);
        take("other-node", new OtherNode(ceiling, pair));
        take("two-servers", new TwoServers(ceiling, pair, sizes));
      }
    }
  }

  private void take(String what, Measures measures) {
    if (wanted(what)) {
      System.out.printf("%tT %s%n", LocalTime.now(), what);
      try {
        measures.take(results);
      } catch (Exception | AssertionError e) {
        // Stores the results so far, because they took most of an hour.
        e.printStackTrace();
        failed.add(what);
      }
      // The aims are set even if a measure has failed, for the values that were measured before.
      measures.aim(results);
    }
  }

  private void drains(Ceiling ceiling, Readpast readpast, Sizes sizes) throws Exception {
    if (wanted("leased")) {
      int jobs = sizes.of(300_000);
      // The reference is measured before and after, because the speed of a machine drifts.
      results.add("raw: claim 100, delete 100", RATE, ceiling.drainLeased(jobs));
      results.add("leased", RATE, readpast.drain(Readpast.QUEUE, "bench.leased", jobs));
      results.add(
          "leased, history kept", RATE, readpast.drain(Readpast.KEPT, "bench.leased", jobs));
      results.add("raw: claim 100, delete 100", RATE, ceiling.drainLeased(jobs));
    }
    if (wanted("transactional")) {
      int jobs = sizes.of(30_000);
      rawSingly(ceiling, jobs);
      results.add(
          "transactional", RATE, readpast.drain(Readpast.QUEUE, "bench.transactional", jobs));
      results.add(
          "transactional, history kept",
          RATE,
          readpast.drain(Readpast.KEPT, "bench.transactional", jobs));
      results.add(
          "transactional, up to 10 jobs per transaction",
          RATE,
          readpast.drain(Readpast.QUEUE, "bench.together", jobs * 4));
      rawSingly(ceiling, jobs);
    }
  }

  private void rawSingly(Ceiling ceiling, int jobs) throws Exception {
    results.add("raw: select, delete, commit", RATE, ceiling.drainSingly(jobs));
    results.add("raw: lease 100, delete each", RATE, ceiling.drainLeasedSingly(jobs));
  }

  private void enqueues(Ceiling ceiling, Readpast readpast, Sizes sizes) throws Exception {
    if (wanted("enqueue")) {
      results.add("raw: insert, commit", RATE, ceiling.insertSingly(sizes.of(40_000), false));
      // The following rate is the cost of any queue that enqueues in the caller's transaction.
      results.add("raw: begin, insert, commit", RATE, ceiling.insertSingly(sizes.of(40_000), true));
      results.add("enqueue singly", RATE, readpast.enqueueSingly(sizes.of(40_000), 8));
      results.add(MeasureNames.SINGLY_ALONE, RATE, readpast.enqueueAlone(sizes.of(40_000), 8));
      results.add("raw: insert from arrays", RATE, ceiling.insertInBulk(sizes.of(100_000)));
      results.add("enqueue in bulk", RATE, readpast.enqueueInBulk(sizes.of(100_000)));
    }
  }

  private void latencies(Ceiling ceiling, Readpast readpast) throws Exception {
    if (wanted("latency")) {
      results.addLatency("raw: NOTIFY round trip", ceiling.notifyRoundTrip(50, 6));
      // TRANSACTIONAL is the default mode of handlers.
      results.addLatency("enqueue to start", readpast.latency("bench.transactional", 50, 6));
      results.addLatency("enqueue to start, leased", readpast.latency("bench.leased", 50, 6));
    }
  }

  private void peer(Entrant entrant, Sizes sizes) throws Exception {
    try (Peer peer = entrant.peer().in(peers)) {
      String name = peer.name();
      results.add(name + ": drain", RATE, peer.drain(sizes.of(entrant.drained())));
      if (entrant.singly() == 0) {
        return;
      }
      results.add(
          name + ": enqueue singly", RATE, peer.enqueueSingly(8, sizes.of(entrant.singly())));
      results.add(name + ": enqueue in bulk", RATE, peer.enqueueInBulk(sizes.of(entrant.inBulk())));
      results.addLatency(name + ": enqueue to start", peer.latency(50, 4));
    }
  }

  private void aim() {
    results.atLeast("leased", "raw: claim 100, delete 100", 0.8);
    results.atLeast("leased, history kept", "raw: claim 100, delete 100", 0.62);
    // The benchmark checks the aim of 0.7; the long-term goal is 0.9.
    results.atLeast("transactional", "raw: select, delete, commit", 0.7);
    results.atLeast("transactional", "raw: lease 100, delete each", 0.65);
    results.atLeast("transactional, history kept", "raw: select, delete, commit", 0.6);
    results.atLeast("transactional, up to 10 jobs per transaction", "transactional", 4);
    results.atLeast("enqueue singly", "raw: insert, commit", 0.55);
    results.atLeast("enqueue singly", "raw: begin, insert, commit", 0.75);
    results.atLeast(MeasureNames.SINGLY_ALONE, "raw: insert, commit", 0.7);
    results.atLeast("enqueue in bulk", "raw: insert from arrays", 0.6);
    results.atMost("enqueue to start, p50", "raw: NOTIFY round trip, p50", 1.5);
    results.atMost("enqueue to start, leased, p50", "raw: NOTIFY round trip, p50", 1.5);
    results.atMost("enqueue to start, p99", null, 10);
    for (Measure measure : results.measures()) {
      String name = measure.name;
      if (MeasureNames.kind(name) == Chart.Kind.PEER && MeasureNames.isDrain(name)) {
        // The compared queues guarantee less than a transaction does, and should still be slower;
        // the exception is db-scheduler, which deletes with one statement and runs the work without
        // a transaction.
        results.atMost(
            name,
            name.startsWith("Artemis") ? "leased" : "transactional",
            name.startsWith("db-scheduler") ? 1.6 : 1);
      }
    }
  }

  private boolean wanted(String... any) {
    return only.contains("all") || Stream.of(any).anyMatch(only::contains);
  }
}
