package org.readpast.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Claims;

/**
 * One queue as this node serves it: how many receivers may work it, how many do, and where they
 * look.
 *
 * <p>A signal that comes while a receiver finds nothing keeps that receiver from leaving, so no
 * wake-up is lost.
 */
final class Line {
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;
  private static final Duration PREFETCH_SPAN = Duration.ofMillis(100);
  private static final int WORTH_A_WAVE = 50;

  private final String queue;
  private final List<Way> ways;
  private final Map<List<String>, Lanes> pulledLanes = new ConcurrentHashMap<>();
  private final Watermark watermark;
  private final Outage outage;
  private final Quota quota = new Quota();
  private volatile int concurrency;
  private volatile int reserved;
  private volatile boolean paused;
  private volatile long signals;
  private int receivers;
  private @Nullable Lingerer lingerer;
  private int pulled;
  private int failures;
  private long pausedUntil;
  private int turn;
  private boolean unattended = true;
  private double nanosPerJob = PREFETCH_SPAN.toNanos();

  /**
   * @param ways none: this node does not work it
   */
  Line(String queue, List<Way> ways, Watermark watermark, Outage outage) {
    this.queue = queue;
    this.ways = List.copyOf(ways);
    this.watermark = watermark;
    this.outage = outage;
  }

  String queue() {
    return queue;
  }

  /** Where applications look that receive jobs of these types by themselves. */
  Lanes lanes(List<String> types) {
    return pulledLanes.computeIfAbsent(types, some -> new Lanes(some, watermark));
  }

  /** Whether this node handles none of the types. */
  boolean idle() {
    return ways.isEmpty();
  }

  /** All that it takes, from where something may be left. */
  Stream<Claims.Range> ranges(long now) {
    return ways.stream()
        .flatMap(way -> way.lanes().floors(now).entrySet().stream())
        .map(floor -> new Claims.Range(queue, floor.getKey(), floor.getValue() + 1));
  }

  /** The ways to try, the one whose turn it is first. */
  List<Way> ways() {
    if (ways.size() < 2) {
      return ways;
    }
    List<Way> rotated = new ArrayList<>(ways);
    synchronized (this) {
      turn = (turn + 1) % ways.size();
      Collections.rotate(rotated, turn);
    }
    return rotated;
  }

  /** Takes note of its settings; true when more may be done than before. */
  synchronized boolean set(Limits limits) {
    boolean lifted = quota.limit(limits.overAllNodes());
    boolean more = lifted || (paused && !limits.paused()) || limits.concurrency() > concurrency;
    paused = limits.paused();
    concurrency = limits.concurrency();
    reserved = limits.reserved();
    notifyAll();
    return more;
  }

  /**
   * How many receivers may work a queue.
   *
   * @param concurrency on this node
   * @param reserved workers of this node that no other queue may take
   * @param overAllNodes null: no limit
   */
  record Limits(boolean paused, int concurrency, int reserved, @Nullable Integer overAllNodes) {}

  int concurrency() {
    return concurrency;
  }

  int reserved() {
    return reserved;
  }

  /** Something may have come, anywhere. */
  synchronized void signal() {
    ways.forEach(way -> way.lanes().lookEverywhere());
    cameSome(true);
  }

  private synchronized void cameSome(boolean several) {
    signals++;
    unattended |= several;
    notifyAll();
  }

  /** Jobs have come to this lane; where it is served, a receiver is woken next. */
  synchronized void signal(String type, int priority, int jobs) {
    ways.forEach(way -> way.lanes().expect(type, priority));
    cameSome(jobs > 1);
  }

  /** Whether jobs of this type are claimed straight from their waves: if nothing goes first. */
  boolean takesFromWaves(String type) {
    return takesFromWaves() && ways.stream().anyMatch(way -> way.takesNextFromWaves(type));
  }

  /** Whether some are: where many are begun at once, so that several are worth waking. */
  boolean takesFromWaves() {
    return !paused && !limited() && prefetch() >= WORTH_A_WAVE;
  }

  /** A wave is open; whether jobs of it may be claimed here. */
  synchronized boolean opened(OpenWave wave) {
    if (limited() || ways.stream().noneMatch(way -> way.opened(wave))) {
      return false;
    }
    cameSome(true);
    return true;
  }

  /** Waits until something may have come since the signals were counted so. */
  synchronized void await(long seen, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; signals == seen && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  /** Looks everywhere from the start again. */
  void startOver() {
    ways.forEach(way -> way.lanes().startOver());
    pulledLanes.values().forEach(Lanes::startOver);
    signal();
  }

  long signals() {
    return signals;
  }

  /**
   * Whether the last look of each way went everywhere, or somebody is at one; else one that found
   * nothing proves nothing.
   */
  boolean fullyLooked() {
    long now = System.nanoTime();
    return ways.stream().allMatch(way -> way.fullyLooked(now));
  }

  /** Whether no job is known of that could be claimed. */
  boolean quiet() {
    return ways.stream().allMatch(Way::quiet);
  }

  /** Counts one more receiver in, if there may be one. */
  synchronized boolean enter(long now) {
    if (resting(now) || receivers >= concurrency || !quota.admits(inUse())) {
      unattended = true;
      return false;
    }
    receivers++;
    return true;
  }

  /**
   * Whether jobs may wait that no receiver has been woken for. Else one that finds a job wakes none
   * in vain: each job that is told of later has a receiver woken for itself.
   */
  synchronized boolean unattended() {
    return unattended;
  }

  /** Jobs may wait that no receiver has been woken for. */
  synchronized void leaveUnattended() {
    unattended = true;
  }

  /**
   * Counts an application in that wants to receive by itself: held to the limit over all nodes, but
   * not to the node's own, as its threads are none of the node's.
   */
  synchronized boolean enterPull() {
    if (paused || !quota.admits(inUse())) {
      return false;
    }
    pulled++;
    return true;
  }

  synchronized void leavePull() {
    pulled--;
  }

  /** Jobs that are or may be in work here. */
  synchronized int inUse() {
    return receivers + pulled;
  }

  private boolean resting(long now) {
    return paused || now - pausedUntil < 0 || outage.active(now);
  }

  /** Whether a receiver is to leave although there is work. */
  synchronized boolean overstaffed() {
    return resting(System.nanoTime()) || receivers > concurrency || quota.exceededBy(inUse());
  }

  synchronized void leave() {
    receivers--;
    unattended = true;
  }

  /** A receiver that has found nothing and waits for a while. */
  private static final class Lingerer {
    boolean calledBack;
  }

  /**
   * Counts a receiver out that has found nothing, unless something has come since it looked. One of
   * them lingers before: to call it back takes less than to start another. Not in a queue with a
   * limit over all nodes: it counts as one that works.
   *
   * @param seen the signals before it looked
   * @param lingerNanos how long it may linger; asked under this line's lock, so it takes no other
   * @param first whether nobody has counted it out before
   */
  synchronized boolean leaveIfQuiet(long seen, LongSupplier lingerNanos, BooleanSupplier first)
      throws InterruptedException {
    if (signals != seen) {
      return false;
    }
    // Now, as long as its look says something of it.
    unattended &= ways.stream().anyMatch(Way::mayHaveMore);
    if (lingerer == null && !limited() && calledBackWithin(lingerNanos.getAsLong())) {
      return false;
    }
    if (signals != seen || !first.getAsBoolean()) {
      return false;
    }
    receivers--;
    return true;
  }

  private boolean calledBackWithin(long nanos) throws InterruptedException {
    Lingerer mine = new Lingerer();
    lingerer = mine;
    long end = System.nanoTime() + nanos;
    try {
      for (long left = nanos; lingerer == mine && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } finally {
      if (lingerer == mine) {
        lingerer = null;
      }
    }
    return mine.calledBack;
  }

  /** Calls the receiver back that lingers; whether there was one. */
  synchronized boolean callBack() {
    Lingerer called = lingerer;
    if (called != null) {
      called.calledBack = true;
      endLingering();
    }
    return called != null;
  }

  /** Its worker is wanted elsewhere. */
  synchronized void endLingering() {
    lingerer = null;
    notifyAll();
  }

  /** Whether a receiver can be called back. */
  synchronized boolean lingers() {
    return lingerer != null;
  }

  synchronized int receivers() {
    return receivers;
  }

  /** Whether this many more receivers could start now. */
  synchronized boolean hasRoom(int more, long now) {
    int others = lingerer == null ? receivers : receivers - 1;
    return !resting(now) && others + more <= concurrency && !quota.exceededBy(inUse() + more);
  }

  boolean paused() {
    return paused;
  }

  /**
   * An error: nobody looks here for a while, longer each time, so that a broken database causes no
   * busy loop.
   */
  synchronized void failed(long now) {
    quota.rest();
    // What came at once may have been too much.
    nanosPerJob = PREFETCH_SPAN.toNanos();
    long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
    failures++;
    pausedUntil = now + Duration.ofMillis(pause).toNanos();
  }

  /** It works again. */
  synchronized void succeeded() {
    failures = 0;
  }

  /** True once when the pause after an error is over. */
  synchronized boolean errorPauseOver(long now) {
    return failures > 0 && receivers == 0 && now - pausedUntil >= 0;
  }

  /** How many jobs may be in work over all nodes; null: no limit. */
  @Nullable Integer limit() {
    return quota.limit();
  }

  /** This node's share in that limit. */
  @Nullable Integer permits() {
    return quota.permits();
  }

  /** Whether the queue has a limit over all nodes. */
  boolean limited() {
    return quota.limited();
  }

  /** Something may be in work that is not known here: nothing starts before it is counted. */
  synchronized void rest() {
    quota.rest();
  }

  /** What this node may do under the limit over all nodes. */
  synchronized <T> T quota(Function<Quota, T> question) {
    return question.apply(quota);
  }

  synchronized void change(Consumer<Quota> change) {
    change.accept(quota);
  }

  /** How many leased jobs this node is likely to start within a tenth of a second. */
  synchronized int soon() {
    // One that waits for its turn is RUNNING for the other nodes, and would take up their limit.
    return limited() ? 1 : (int) Math.max(1, PREFETCH_SPAN.toNanos() / nanosPerJob);
  }

  /** How many of them it claims at once. */
  int prefetch() {
    return Math.min(Claims.MOST, soon());
  }

  /** Takes note of how long leased jobs took. */
  synchronized void ran(long nanos, int jobs) {
    nanosPerJob += 0.3 * (Math.max(1.0, (double) nanos / jobs) - nanosPerJob);
  }
}
