package org.readpast.engine;

import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;

/**
 * One queue as this node serves it: its limits, its receivers, and the positions from which they
 * claim.
 */
final class ServedQueue {
  private static final int WORTH_A_WAVE = 50;

  private final String queue;
  private final Set<String> types;
  private final ClaimCursors lanes;
  private final Map<List<String>, ClaimCursors> pulledLanes = new ConcurrentHashMap<>();
  private final Deque<OpenWave> waves = new ConcurrentLinkedDeque<>();
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final TypeLimits typeLimits;
  private final Outage outage;
  private final WorkerSlots slots = new WorkerSlots(this);
  private final ErrorBackoff backoff = new ErrorBackoff();
  private final UnreadableLanes unreadable = new UnreadableLanes();
  private final JobsPerTransaction jobsPerTransaction = new JobsPerTransaction();
  private volatile Limits limits = new Limits(false, 0, 0, null);
  private volatile boolean usedAnywhere;
  private volatile boolean holdsOthers;
  private volatile boolean refused;

  /**
   * @param types the types whose jobs this node runs in the queue; empty: none
   */
  ServedQueue(
      String queue,
      Set<String> types,
      Watermark watermark,
      TypeSpeeds speeds,
      TypeLimits typeLimits,
      Outage outage) {
    this.queue = queue;
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.typeLimits = typeLimits;
    this.lanes = new ClaimCursors(types, watermark, speeds, typeLimits);
    this.outage = outage;
  }

  String queue() {
    return queue;
  }

  /** Returns the cursors for callers of {@code JobQueue.receive} that ask for these types. */
  ClaimCursors lanes(List<String> some) {
    return pulledLanes.computeIfAbsent(
        some, all -> new ClaimCursors(all, watermark, speeds, typeLimits));
  }

  /** Returns the cursors of this node's receivers. */
  ClaimCursors lanes() {
    return lanes;
  }

  /** Returns true if this node runs no jobs of the queue. */
  boolean idle() {
    return types.isEmpty();
  }

  /**
   * Returns true if any node has had jobs in the queue recently, so that dead entries may be in the
   * way.
   */
  boolean usedLately(long now) {
    return usedAnywhere || lanes.usedLately(now);
  }

  /** Sets whether any node has used the queue recently, according to the database. */
  void usedAnywhere(boolean lately) {
    usedAnywhere = lately;
  }

  /** Sets whether the queue has jobs that this node does not handle. */
  void holdsOthers(boolean some) {
    holdsOthers = some;
  }

  /**
   * Returns the range in which a poll has to look for jobs that no notification has announced. Its
   * mark is null if there is nothing to look for, because a job is already known or no receiver
   * could claim it.
   */
  Claims.Range range(long now) {
    Long mark = mayStart(now) && lanes.quiet() ? Long.valueOf(lanes.floor(now) + 1) : null;
    boolean shared = holdsOthers || (usedAnywhere && !lanes.usedLately(now));
    return new Claims.Range(queue, mark, shared);
  }

  /**
   * Returns true if the queue has no receiver, or room for one more alongside those that may be
   * busy for long. Returns false if the queue is paused, or if this node does not run its jobs.
   */
  boolean mayStart(long now) {
    return !paused() && !idle() && (slots.receivers() == 0 || slots.hasRoom(1, now));
  }

  /** Returns true if a lane is known to have jobs, or if a full scan is due. */
  boolean knowsOfJobs() {
    return !lanes.quiet() || !lanes.fullyLooked();
  }

  /** Sets the limits; returns true if more jobs may run than before. */
  boolean set(Limits now) {
    Limits before = limits;
    limits = now;
    return raised(before.overAllNodes(), now.overAllNodes())
        || (before.paused() && !now.paused())
        || now.concurrency() > before.concurrency();
  }

  private static boolean raised(@Nullable Integer before, @Nullable Integer now) {
    return before != null && (now == null || now > before);
  }

  /**
   * The limits of a queue.
   *
   * @param concurrency maximum number of receivers on this node
   * @param reserved number of workers of this node that no other queue may use
   * @param overAllNodes maximum number of jobs over all nodes; null: no limit
   */
  record Limits(boolean paused, int concurrency, int reserved, @Nullable Integer overAllNodes) {}

  Limits limits() {
    return limits;
  }

  /** Returns the worker slots of the queue on this node. */
  WorkerSlots slots() {
    return slots;
  }

  /** Returns the object that determines how many jobs share a transaction. */
  JobsPerTransaction jobsPerTransaction() {
    return jobsPerTransaction;
  }

  /** Records whether this node could read the payload of a job. */
  void attempted(ClaimedJob job, Outcome outcome) {
    String type = job.type();
    if (outcome instanceof Outcome.Unreadable) {
      // Other jobs of the type may be encrypted with keys that this node has.
      if (job.encrypted() != null) {
        return;
      }
      long rest = unreadable.unreadable(type);
      if (rest > 0) {
        lanes.rest(type, System.nanoTime() + rest);
      }
    } else {
      unreadable.readable(type);
    }
  }

  /** Records that jobs may have arrived in any lane. */
  void signal() {
    lanes.lookEverywhere();
    slots.came(true);
  }

  /**
   * Records that jobs have arrived in a lane. If this node runs jobs of the lane, the caller then
   * wakes a receiver.
   */
  void signal(String type, int priority, int jobs) {
    lanes.expect(type, priority);
    slots.came(jobs > 1);
  }

  /** Moves the cursors back to jobs that are available again at their earlier positions. */
  void released(Claims.Released at) {
    lanes.release(at);
    pulledLanes.values().forEach(pulledFrom -> pulledFrom.release(at));
  }

  /**
   * Returns true if jobs of this type are claimed directly from open waves, which requires that no
   * available job goes first.
   */
  boolean takesFromWaves(String type) {
    return takesFromWaves()
        && lanes.goThrough(type)
        && !lanes.rests(type)
        && !typeLimits.limits(type)
        && lanes.quiet();
  }

  /**
   * Returns true if the queue is claimed directly from open waves at all. Its jobs must be so short
   * that one claim takes many, because then it is worth waking several receivers.
   */
  boolean takesFromWaves() {
    return !paused() && !limited() && prefetch(types) >= WORTH_A_WAVE;
  }

  /** Adds an open wave; returns true if jobs of it may be claimed here. */
  synchronized boolean opened(OpenWave wave) {
    String type = wave.lane().type();
    if (limited() || typeLimits.limits(type) || !lanes.goThrough(type) || lanes.rests(type)) {
      return false;
    }
    long now = System.nanoTime();
    waves.removeIf(other -> other.forgotten(now) || wave.replaces(other));
    if (openWaves().stream().noneMatch(wave::isLike)) {
      waves.add(wave);
    }
    slots.came(true);
    return true;
  }

  /** Returns the waves in lanes of this queue that may be open. */
  Collection<OpenWave> openWaves() {
    if (!waves.isEmpty()) {
      waves.removeIf(OpenWave::over);
    }
    return waves;
  }

  /** Makes claims scan all lanes from the start again. */
  void startOver() {
    lanes.startOver();
    pulledLanes.values().forEach(ClaimCursors::startOver);
    signal();
  }

  /**
   * Does what {@link #startOver()} does, in a database that has assigned no position after this
   * one.
   */
  void startOver(long lastDrawn) {
    lanes.startOver(lastDrawn);
    pulledLanes.values().forEach(lanes -> lanes.startOver(lastDrawn));
    signal();
  }

  /**
   * Returns true if no full scan has become due since the last one, or if a long full scan is in
   * progress. Otherwise a scan that found nothing proves nothing.
   */
  boolean fullyLooked() {
    return lanes.fullyLooked() || lanes.longLook(System.nanoTime());
  }

  /** Returns true if no job is known that could be claimed. */
  boolean quiet() {
    return lanes.quiet() && lanes.fullyLooked() && !mayHaveMore();
  }

  /** Returns true if the result of a claim is not known yet, or if a wave is open. */
  boolean mayHaveMore() {
    return lanes.looking() || !openWaves().isEmpty();
  }

  int mostReceivers() {
    Limits now = limits;
    Integer most = now.overAllNodes();
    return most == null ? now.concurrency() : Math.min(most, now.concurrency());
  }

  boolean resting(long now) {
    return paused() || backoff.pauses(now) || outage.active(now);
  }

  boolean paused() {
    return limits.paused();
  }

  /** Records an error: no receiver scans the queue for a while. */
  void failed(long now) {
    // Claims may have leased too many jobs at a time.
    speeds.forget();
    backoff.failed(now);
  }

  /** Records that the queue works again. */
  void succeeded() {
    backoff.succeeded();
  }

  /** Returns true if the pause after an error is over and the queue has no receiver. */
  boolean errorPauseOver(long now) {
    return slots.receivers() == 0 && backoff.over(now);
  }

  /** Returns the maximum number of jobs that may be leased over all nodes; null: no limit. */
  @Nullable Integer limit() {
    return limits.overAllNodes();
  }

  /** Returns true if the queue has a limit over all nodes. */
  boolean limited() {
    return limit() != null;
  }

  /** Records that the limit over all nodes was reached, although there may be jobs. */
  void refused() {
    refused = true;
  }

  /**
   * Returns true if the limit over all nodes was reached a moment ago, so that another claim would
   * find the same.
   */
  boolean atLimit() {
    return refused;
  }

  /**
   * Returns true once after a refusal. The limit is then tried again, because no notification
   * announces that a job on another node has ended.
   */
  boolean takeRefused() {
    boolean was = refused;
    refused = false;
    return was;
  }

  /** Returns the maximum number of jobs of these types that one claim leases. */
  int prefetch(Collection<String> of) {
    // A leased job that waits for its turn would use up the limit of the other nodes.
    return limited() ? 1 : speeds.prefetch(of);
  }
}
