package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
  private static final int WORTH_A_WAVE = 50;

  private final String queue;
  private final Set<String> types;
  private final Lanes lanes;
  private final Map<List<String>, Lanes> pulledLanes = new ConcurrentHashMap<>();
  private final Deque<OpenWave> waves = new ConcurrentLinkedDeque<>();
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final Outage outage;
  private volatile @Nullable Integer limit;
  private volatile int concurrency;
  private volatile int reserved;
  private volatile boolean paused;
  private volatile boolean usedAnywhere;
  private volatile boolean holdsOthers;
  private volatile long signals;
  private volatile boolean refused;
  private int receivers;
  private @Nullable Lingerer lingerer;
  private int pulled;
  private int failures;
  private long pausedUntil;
  private int oneByOne;
  private boolean unattended = true;

  /**
   * @param types none: this node does not work it
   */
  Line(String queue, Set<String> types, Watermark watermark, TypeSpeeds speeds, Outage outage) {
    this.queue = queue;
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.lanes = new Lanes(types, watermark, speeds);
    this.outage = outage;
  }

  String queue() {
    return queue;
  }

  /** Where applications look that receive jobs of these types by themselves. */
  Lanes lanes(List<String> some) {
    return pulledLanes.computeIfAbsent(some, all -> new Lanes(all, watermark, speeds));
  }

  /** Where this node's receivers look. */
  Lanes lanes() {
    return lanes;
  }

  /** Whether this node handles none of the types. */
  boolean idle() {
    return types.isEmpty();
  }

  /** Whether some node has had jobs there lately, so that dead entries may be in the way. */
  boolean usedLately(long now) {
    return usedAnywhere || lanes.usedLately(now);
  }

  /** Whether some node has, as the database says. */
  void usedAnywhere(boolean lately) {
    usedAnywhere = lately;
  }

  /** There are jobs that this node does not work. */
  void holdsOthers(boolean some) {
    holdsOthers = some;
  }

  /**
   * From where something may be to claim that nobody has told of; null: nowhere, as it is known
   * already, or nobody could claim it.
   */
  Claims.Range range(long now) {
    Long mark = mayStart(now) && lanes.quiet() ? Long.valueOf(lanes.floor(now) + 1) : null;
    boolean shared = holdsOthers || (usedAnywhere && !lanes.usedLately(now));
    return new Claims.Range(queue, mark, shared);
  }

  /**
   * Whether one more receiver could start, or may be needed beside one that is at work for long.
   */
  boolean mayStart(long now) {
    return !paused && !idle() && (receivers() == 0 || hasRoom(1, now));
  }

  /** Whether a job is known of in some lane. */
  boolean knowsOfJobs() {
    return !lanes.quiet();
  }

  /** Takes note of its settings; true when more may be done than before. */
  synchronized boolean set(Limits limits) {
    boolean more =
        raised(limits.overAllNodes())
            || (paused && !limits.paused())
            || limits.concurrency() > concurrency;
    limit = limits.overAllNodes();
    paused = limits.paused();
    concurrency = limits.concurrency();
    reserved = limits.reserved();
    notifyAll();
    return more;
  }

  private boolean raised(@Nullable Integer newLimit) {
    Integer old = limit;
    return old != null && (newLimit == null || newLimit > old);
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
    lanes.lookEverywhere();
    cameSome(true);
  }

  private synchronized void cameSome(boolean several) {
    signals++;
    unattended |= several;
    notifyAll();
  }

  /** Jobs have come to this lane; where it is served, a receiver is woken next. */
  synchronized void signal(String type, int priority, int jobs) {
    lanes.expect(type, priority);
    cameSome(jobs > 1);
  }

  /** Jobs are available again at positions that they had before. */
  void released(Claims.Released at) {
    lanes.release(at);
    pulledLanes.values().forEach(pulledFrom -> pulledFrom.release(at));
  }

  /** Whether jobs of this type are claimed straight from their waves: if nothing goes first. */
  boolean takesFromWaves(String type) {
    return takesFromWaves() && lanes.goThrough(type) && lanes.quiet();
  }

  /** Whether some are: where many are begun at once, so that several are worth waking. */
  boolean takesFromWaves() {
    return !paused && !limited() && prefetch(types) >= WORTH_A_WAVE;
  }

  /** A wave is open; whether jobs of it may be claimed here. */
  synchronized boolean opened(OpenWave wave) {
    if (limited() || !lanes.goThrough(wave.lane().type())) {
      return false;
    }
    long now = System.nanoTime();
    waves.removeIf(other -> other.forgotten(now) || wave.replaces(other));
    if (openWaves().stream().noneMatch(wave::isLike)) {
      waves.add(wave);
    }
    cameSome(true);
    return true;
  }

  /** Waves of its lanes that may be open. */
  Collection<OpenWave> openWaves() {
    if (!waves.isEmpty()) {
      waves.removeIf(OpenWave::over);
    }
    return waves;
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
    lanes.startOver();
    pulledLanes.values().forEach(Lanes::startOver);
    signal();
  }

  /** Starts over in a database that has drawn no position after this one. */
  void startOver(long lastDrawn) {
    lanes.startOver(lastDrawn);
    pulledLanes.values().forEach(lanes -> lanes.startOver(lastDrawn));
    signal();
  }

  long signals() {
    return signals;
  }

  /**
   * Whether the last look went everywhere, or somebody is at one; else one that found nothing
   * proves nothing.
   */
  boolean fullyLooked() {
    return lanes.fullyLooked() || lanes.longLook(System.nanoTime());
  }

  /** Whether no job is known of that could be claimed. */
  boolean quiet() {
    return lanes.quiet() && lanes.fullyLooked() && !mayHaveMore();
  }

  /** Whether somebody has yet to learn what is to be claimed, or a wave is open. */
  private boolean mayHaveMore() {
    return lanes.looking() || !openWaves().isEmpty();
  }

  /** Counts one more receiver in, if there may be one. */
  synchronized boolean enter(long now) {
    if (resting(now) || receivers >= mostReceivers()) {
      unattended = true;
      return false;
    }
    receivers++;
    return true;
  }

  private int mostReceivers() {
    Integer most = limit;
    return most == null ? concurrency : Math.min(most, concurrency);
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
   * Counts an application in that wants to receive by itself; its threads are none of the node's.
   */
  synchronized boolean enterPull() {
    if (paused) {
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
    return resting(System.nanoTime()) || receivers > mostReceivers();
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
    unattended &= mayHaveMore();
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
    return !resting(now) && others + more <= mostReceivers();
  }

  boolean paused() {
    return paused;
  }

  /**
   * An error: nobody looks here for a while, longer each time, so that a broken database causes no
   * busy loop.
   */
  synchronized void failed(long now) {
    // What was leased at a time may have been too much.
    speeds.forget();
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

  /** How many jobs may be leased over all nodes; null: no limit. */
  @Nullable Integer limit() {
    return limit;
  }

  /** Whether the queue has a limit over all nodes. */
  boolean limited() {
    return limit != null;
  }

  /** The limit over all nodes was reached, though there may be jobs. */
  void refused() {
    refused = true;
  }

  /** True once after a refusal: no node tells when a job of another has ended. */
  boolean takeRefused() {
    boolean was = refused;
    refused = false;
    return was;
  }

  /** How many jobs of these types are leased at a time. */
  int prefetch(Collection<String> of) {
    // One that waits for its turn would take up the limit of the other nodes.
    return limited() ? 1 : speeds.prefetch(of);
  }

  /** How many jobs the next transaction of a type may work. */
  synchronized int jobsPerTransaction(Handling handling) {
    return oneByOne > 0 ? 1 : handling.jobsPerTransaction();
  }

  /** So many were committed together. */
  synchronized void committed(int jobs) {
    oneByOne = Math.max(0, oneByOne - jobs);
  }

  /**
   * So many were rolled back together. They are worked one by one now, so that the one at fault
   * fails alone, and no more work is undone for it.
   */
  synchronized void rolledBack(int jobs) {
    if (jobs > 1) {
      oneByOne = Math.max(oneByOne, jobs);
    } else {
      committed(jobs);
    }
  }
}
