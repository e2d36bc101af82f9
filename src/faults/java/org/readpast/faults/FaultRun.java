package org.readpast.faults;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.readpast.faults.Cluster.Member;
import org.readpast.faults.Cluster.Way;
import org.readpast.faults.Fault.Hit;
import org.readpast.support.Await;

/**
 * Executes one run of the fault suite: producers enqueue jobs, servers process them, and faults
 * occur one after the other. At the end, the system has time to finish all jobs.
 */
final class FaultRun {
  /** Marks the name of a fault that took effect only in part. */
  static final String IN_PART = " (in part)";

  private static final System.Logger LOG = System.getLogger(FaultRun.class.getName());
  private static final int WARM = 100;
  private static final Duration LONGEST_REST = Duration.ofMinutes(10);

  private final Plan plan;
  private final Recorder recorder = new Recorder();
  private final AtomicBoolean stop = new AtomicBoolean();

  /**
   * Holds the parameters of a run.
   *
   * @param servers the kinds of the servers, such as {@code liberty} and {@code payara}
   * @param way the kind of connection to the database
   * @param faults the number of faults; in one lane, each kind occurs before any kind is repeated
   * @param lanes the number of concurrent faults; with several lanes, each kind occurs according to
   *     its weight
   * @param kinds the kinds of faults to inject; empty for all
   * @param load the jobs that are enqueued
   * @param rate the approximate number of jobs requested per second
   * @param poisons the number of jobs that kill their server
   * @param lease how long a silent node counts as alive
   * @param kept how long ended jobs are kept
   * @param mutant a bug that the run must find, or null
   */
  record Plan(
      long seed,
      List<String> servers,
      Way way,
      int faults,
      int lanes,
      List<String> kinds,
      Load load,
      int rate,
      int poisons,
      Duration lease,
      Duration kept,
      @Nullable Mutant mutant) {

    /** Returns true if the rate is so high that jobs have to be short. */
    boolean brisk() {
      return rate > 100;
    }

    /** Returns true if faults of this kind may occur. */
    boolean has(String kind) {
      return faults > 0 && (kinds.isEmpty() || kinds.contains(kind));
    }
  }

  FaultRun(Plan plan) {
    this.plan = plan;
  }

  /** Acts while producers enqueue and servers process jobs. */
  @FunctionalInterface
  interface Meanwhile {
    void happen(Cluster cluster) throws Exception;
  }

  /** Executes the run, and returns its story. */
  Story run() throws Exception {
    return run(this::breakThings);
  }

  /** Runs for as long as the given activity takes. */
  Story run(Meanwhile meanwhile) throws Exception {
    LOG.log(Level.INFO, "{0}", plan);
    try (Collector collector = new Collector(recorder);
        Cluster cluster = new Cluster(plan, collector.port())) {
      cluster.start();
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        startProducers(cluster, threads);
        threads.execute(() -> watch(cluster));
        meanwhile.happen(cluster);
      } finally {
        stop.set(true);
        threads.shutdown();
        // Threads that start a server finish before the servers are stopped.
        threads.awaitTermination(10, TimeUnit.MINUTES);
      }
      return rest(cluster);
    }
  }

  private void startProducers(Cluster cluster, ExecutorService threads) {
    AtomicInteger numbers = new AtomicInteger();
    Queue<Integer> killers = new ConcurrentLinkedQueue<>(plan.load().killers(plan.poisons()));
    int producers = 8;
    // The approximate number of jobs per request, without the large batches.
    double jobs = plan.brisk() ? 7 : 1.7;
    Duration pause = Duration.ofMillis(Math.round(producers * 1_000 * jobs / plan.rate()));
    for (int no = 0; no < producers; no++) {
      threads.execute(new Producer(no, plan, cluster, recorder, numbers, killers, pause, stop));
    }
  }

  /** Injects faults on several threads, so that one fault may occur during another. */
  private void breakThings(Cluster cluster) throws Exception {
    awaitWork(cluster);
    ExecutorService threads = Executors.newFixedThreadPool(plan.lanes());
    try {
      List<Future<?>> lanes = new ArrayList<>();
      for (int lane = 0; lane < plan.lanes(); lane++) {
        Random dice = new Random(plan.seed() * 31 + lane);
        int share = (plan.faults() + lane) / plan.lanes();
        lanes.add(
            threads.submit(
                () -> {
                  breakThings(cluster, share, dice);
                  return null;
                }));
      }
      for (Future<?> lane : lanes) {
        lane.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Waits until jobs run on each server. Faults in an idle system would show little. */
  private void awaitWork(Cluster cluster) {
    Await.until(
        Duration.ofMinutes(5),
        "jobs have run on each server",
        () ->
            cluster.members().stream()
                .allMatch(
                    member ->
                        recorder.begun.stream()
                                .filter(begun -> begun.server().equals(member.name()))
                                .count()
                            >= WARM));
  }

  private void breakThings(Cluster cluster, int faults, Random dice) throws InterruptedException {
    List<Fault> bag = new ArrayList<>();
    for (int done = 0; done < faults; done++) {
      if (bag.isEmpty()) {
        bag.addAll(bag(cluster));
        Collections.shuffle(bag, dice);
      }
      Fault fault = bag.remove(bag.size() - 1);
      long begun = Recorder.now();
      try {
        Hit hit = fault.happening().happen(cluster, dice);
        recorder.injected(fault.kind(), hit.server(), hit.since() == null ? begun : hit.since());
        LOG.log(
            Level.INFO,
            "fault {0}: {1} {2}, {3} ms",
            recorder.faults.size(),
            fault.kind(),
            hit.server() == null ? "" : hit.server(),
            (Recorder.now() - begun) / 1_000);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | AssertionError e) {
        // Another fault has prevented the current fault. What this fault did may still have
        // disturbed the system.
        recorder.injected(fault.kind() + IN_PART, null, begun);
        LOG.log(Level.INFO, fault.kind() + " was not possible", e);
      }
      Duration since = Duration.ofNanos((Recorder.now() - begun) * 1_000);
      TimeUnit.MILLISECONDS.sleep(plan.load().pause(dice, since).toMillis());
    }
  }

  private List<Fault> bag(Cluster cluster) {
    List<Fault> bag = new ArrayList<>();
    for (Fault fault : Faults.possible(cluster, plan.lease())) {
      if (plan.kinds().isEmpty() || plan.kinds().contains(fault.kind())) {
        bag.addAll(Collections.nCopies(plan.lanes() > 1 ? fault.weight() : 1, fault));
      }
    }
    return bag;
  }

  /** Restarts servers that a job has killed. */
  private void watch(Cluster cluster) {
    long[] seen = new long[cluster.members().size()];
    while (!stop.get()) {
      for (int i = 0; i < seen.length; i++) {
        Member member = cluster.members().get(i);
        if (member.server().isAlive()) {
          seen[i] = Recorder.now();
        } else {
          try {
            revive(member, seen[i]);
          } catch (IllegalStateException | AssertionError e) {
            LOG.log(Level.WARNING, member.name() + " could not be restarted; retrying", e);
          }
        }
      }
      pause();
    }
  }

  /**
   * Starts the server, unless another thread has started it.
   *
   * @param seen the time at which the server was last known to be alive; jobs that ran then no
   *     longer run
   */
  private void revive(Member member, long seen) {
    synchronized (member.server()) {
      if (!member.server().isAlive()) {
        recorder.injected("server killed by a job", member.name(), seen);
        member.start();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until no job is left, or until their number no longer decreases. */
  private Story rest(Cluster cluster) {
    Aftermath aftermath = new Aftermath(cluster.database());
    long[] left = {Long.MAX_VALUE};
    long[] since = {System.nanoTime()};
    Await.until(
        LONGEST_REST,
        "all jobs have ended, or no more jobs end",
        () -> {
          for (Member member : cluster.members()) {
            revive(member, Recorder.now());
          }
          long now = aftermath.left();
          if (now < left[0]) {
            left[0] = now;
            since[0] = System.nanoTime();
          }
          return now == 0 || System.nanoTime() - since[0] > plan.load().stuckAfter().toNanos();
        });
    List<String> live = aftermath.live();
    cluster.members().forEach(member -> member.server().stop());
    return recorder.story(
        aftermath.ended(), aftermath.freed(), aftermath.effects(), aftermath.planned(), live);
  }
}
