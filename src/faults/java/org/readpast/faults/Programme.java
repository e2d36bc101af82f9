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
 * One run: producers enqueue, servers work, faults happen one after the other, and then everything
 * is given time to come to rest.
 */
final class Programme {
  /** What the kind of a fault ends with that did not come off as it should. */
  static final String IN_PART = " (in part)";

  private static final System.Logger LOG = System.getLogger(Programme.class.getName());
  private static final int WARM = 100;
  private static final Duration LONGEST_REST = Duration.ofMinutes(10);

  private final Plan plan;
  private final Recorder recorder = new Recorder();
  private final AtomicBoolean stop = new AtomicBoolean();

  /**
   * What is to be run.
   *
   * @param servers such as {@code liberty}, {@code payara}
   * @param way to the database
   * @param faults how many; in one lane each kind comes before any comes again
   * @param lanes how many at a time; with several each kind comes by its weight
   * @param kinds the same, when only some kinds are wanted; empty: all
   * @param load what these are
   * @param rate jobs per second that are asked for, about
   * @param poisons how many jobs kill their server
   * @param lease how long a silent node counts as alive
   * @param kept how long jobs are kept that have ended
   * @param mutant a bug that is to be found, or null
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

    /** So many that they must not last. */
    boolean brisk() {
      return rate > 100;
    }

    /** Whether this may come. */
    boolean has(String kind) {
      return faults > 0 && (kinds.isEmpty() || kinds.contains(kind));
    }
  }

  Programme(Plan plan) {
    this.plan = plan;
  }

  /** What happens while producers ask and servers work. */
  @FunctionalInterface
  interface Meanwhile {
    void happen(Cluster cluster) throws Exception;
  }

  /** Runs, and gives what is known of it. */
  Story run() throws Exception {
    return run(this::breakThings);
  }

  /** Runs for as long as this takes. */
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
        // Whoever starts a server is through with it before all are ended.
        threads.awaitTermination(10, TimeUnit.MINUTES);
      }
      return rest(cluster);
    }
  }

  private void startProducers(Cluster cluster, ExecutorService threads) {
    AtomicInteger numbers = new AtomicInteger();
    Queue<Integer> killers = new ConcurrentLinkedQueue<>(plan.load().killers(plan.poisons()));
    int producers = 8;
    // How many jobs a request asks for, about; the large batches come on top.
    double jobs = plan.brisk() ? 7 : 1.7;
    Duration pause = Duration.ofMillis(Math.round(producers * 1_000 * jobs / plan.rate()));
    for (int no = 0; no < producers; no++) {
      threads.execute(new Producer(no, plan, cluster, recorder, numbers, killers, pause, stop));
    }
  }

  /** In lanes, so that one thing breaks while another is broken. */
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

  /** What breaks while nothing is in work says little. */
  private void awaitWork(Cluster cluster) {
    Await.until(
        Duration.ofMinutes(5),
        "work on each server",
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
        // Another fault was in its way; what it did do may have disturbed all the same.
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

  /** Starts again whom a job has killed. */
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
            LOG.log(Level.WARNING, member.name() + " could not be started again; once more", e);
          }
        }
      }
      pause();
    }
  }

  /**
   * Starts it, unless somebody has.
   *
   * @param seen its last sign of life: whoever was in work then is in work no more
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

  /** Until nothing is left, or nothing becomes less. */
  private Story rest(Cluster cluster) {
    Aftermath aftermath = new Aftermath(cluster.database());
    long[] left = {Long.MAX_VALUE};
    long[] since = {System.nanoTime()};
    Await.until(
        LONGEST_REST,
        "rest",
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
