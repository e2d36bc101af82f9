package org.readpast.engine;

import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.readpast.dependency.OpenWave;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;

/**
 * Represents one queue as seen by this node: its limits, its receivers, and the positions from
 * which they claim.
 */
final class ServedQueue {
  private static final int MIN_PREFETCH_FOR_WAVES = 50;
  // Callers that receive all types request those of which the queue currently has jobs, so in a
  // queue with many types they may request any combination of types.
  private static final int MOST_RECEIVE_CURSORS = 100;

  private final String queue;
  private final Set<String> types;
  private final ClaimCursors cursors;
  private final Map<List<String>, ClaimCursors> receiveCursors = new ConcurrentHashMap<>();
  private final Deque<OpenWave> waves = new ConcurrentLinkedDeque<>();
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final TypeLimits typeLimits;
  private final NodeState node;
  private final WorkerSlots slots = new WorkerSlots(this);
  private final ErrorBackoff backoff = new ErrorBackoff();
  private final UnreadableLanes unreadable = new UnreadableLanes();
  private volatile QueueLimits limits = new QueueLimits(false, 0, 0, null);
  private volatile @Nullable FoundTypes foundTypes;
  private volatile boolean usedAnywhere;
  private volatile boolean hasUnhandledJobs;
  private volatile boolean limitReached;

  /**
   * @param types the types whose jobs this node runs in the queue; empty if there are none
   */
  ServedQueue(
      String queue,
      Set<String> types,
      Watermark watermark,
      TypeSpeeds speeds,
      TypeLimits typeLimits,
      NodeState node) {
    this.queue = queue;
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.typeLimits = typeLimits;
    this.cursors = new ClaimCursors(types, watermark, speeds, typeLimits);
    this.node = node;
  }

  String queue() {
    return queue;
  }

  /** Returns the cursors for callers of {@code JobQueue.receive} that request the given types. */
  ClaimCursors cursors(List<String> some) {
    if (receiveCursors.size() >= MOST_RECEIVE_CURSORS && !receiveCursors.containsKey(some)) {
      receiveCursors.clear();
    }
    return receiveCursors.computeIfAbsent(
        some, all -> new ClaimCursors(all, watermark, speeds, typeLimits));
  }

  /**
   * Names the types of which the queue had jobs, for callers of {@code JobQueue.receive}.
   *
   * @param found the time at which the types were read
   */
  record FoundTypes(List<String> names, long found) {}

  /** Returns the types that were read last, or null if none were read. */
  @Nullable FoundTypes foundTypes() {
    return foundTypes;
  }

  /** Records the types that were just read. */
  void foundTypes(FoundTypes types) {
    foundTypes = types;
  }

  /** Returns the cursors of this node's receivers. */
  ClaimCursors cursors() {
    return cursors;
  }

  /** Returns true if this node runs no jobs of the queue. */
  boolean handlesNoTypes() {
    return types.isEmpty();
  }

  /**
   * Returns true if any node has recently had jobs in the queue, so that dead index entries may
   * slow scans down.
   */
  boolean usedRecently(long now) {
    return usedAnywhere || cursors.usedRecently(now);
  }

  /** Sets whether any node has used the queue recently; the database knows this. */
  void usedAnywhere(boolean recently) {
    usedAnywhere = recently;
  }

  /** Sets whether the queue has jobs that this node does not handle. */
  void hasUnhandledJobs(boolean some) {
    hasUnhandledJobs = some;
  }

  /**
   * Returns the range that a poll has to search for jobs that no notification has announced. The
   * mark of the range is null if there is nothing to search for, because a job is already known or
   * no receiver could claim it.
   */
  Claims.PollRange range(long now) {
    Long mark =
        mayStart(now) && cursors.noKnownJobs() ? Long.valueOf(cursors.floor(now) + 1) : null;
    boolean shared = hasUnhandledJobs || (usedAnywhere && !cursors.usedRecently(now));
    return new Claims.PollRange(queue, mark, shared);
  }

  /**
   * Returns true if the queue has no receiver, or may have another one besides those that may be
   * busy for a long time. Returns false if the queue is paused, or if this node does not run its
   * jobs.
   */
  boolean mayStart(long now) {
    return !paused() && !handlesNoTypes() && (slots.receivers() == 0 || slots.hasRoom(1, now));
  }

  /** Returns true if a lane is known to have jobs, or if a full scan is due. */
  boolean knowsOfJobs() {
    return !cursors.noKnownJobs() || !cursors.fullyScanned();
  }

  /** Sets the limits; returns true if more jobs may run than before. */
  boolean set(QueueLimits now) {
    QueueLimits before = limits;
    limits = now;
    return raised(before.overAllNodes(), now.overAllNodes())
        || (before.paused() && !now.paused())
        || now.concurrency() > before.concurrency();
  }

  private static boolean raised(@Nullable Integer before, @Nullable Integer now) {
    return before != null && (now == null || now > before);
  }

  /**
   * Holds the limits of a queue.
   *
   * @param concurrency the maximum number of receivers on this node
   * @param reserved the number of workers on this node that no other queue may use
   * @param overAllNodes the maximum number of jobs across all nodes, or null if there is no limit
   */
  record QueueLimits(
      boolean paused, int concurrency, int reserved, @Nullable Integer overAllNodes) {}

  QueueLimits limits() {
    return limits;
  }

  /** Returns the worker slots of the queue on this node. */
  WorkerSlots slots() {
    return slots;
  }

  /** Records whether this node could read the payload of a job. */
  void attempted(ClaimedJob job, Outcome outcome) {
    String type = job.type();
    if (outcome instanceof Outcome.Unreadable) {
      // This node may have the keys with which other jobs of the type are encrypted.
      if (job.encrypted() != null) {
        return;
      }
      long pause = unreadable.unreadable(type);
      if (pause > 0) {
        cursors.skip(type, System.nanoTime() + pause);
      }
    } else {
      unreadable.readable(type);
    }
  }

  /** Records that jobs may have arrived in any lane. */
  void signal() {
    cursors.requestFullScan();
    slots.signal(true);
  }

  /**
   * Records that jobs have arrived in a lane. If this node runs jobs of the lane, the caller then
   * wakes a receiver.
   */
  void signal(String type, int priority, int jobs) {
    cursors.jobArrived(type, priority);
    slots.signal(jobs > 1);
  }

  /** Moves the cursors back to jobs that are available again at their earlier positions. */
  void released(Claims.ReopenedLane at) {
    cursors.moveBack(at);
    receiveCursors.values().forEach(cursors -> cursors.moveBack(at));
  }

  /**
   * Returns true if jobs of the given type are claimed directly from open waves, which requires
   * that no available job comes before them.
   */
  boolean claimsFromWaves(String type) {
    return claimsFromWaves()
        && cursors.covers(type)
        && !cursors.skips(type)
        && !typeLimits.limits(type)
        && cursors.noKnownJobs();
  }

  /**
   * Returns true if any jobs of the queue are claimed directly from open waves. Direct claims
   * require short jobs, of which one claim takes many, because only then is it worth waking several
   * receivers.
   */
  boolean claimsFromWaves() {
    return !paused() && !limited() && prefetch(types) >= MIN_PREFETCH_FOR_WAVES;
  }

  /** Adds an open wave; returns true if its jobs may be claimed by this queue. */
  synchronized boolean opened(OpenWave wave) {
    String type = wave.lane().type();
    if (limited() || typeLimits.limits(type) || !cursors.covers(type) || cursors.skips(type)) {
      return false;
    }
    long now = System.nanoTime();
    waves.removeIf(other -> other.unused(now) || wave.replaces(other));
    if (openWaves().stream().noneMatch(wave::isLike)) {
      waves.add(wave);
    }
    slots.signal(true);
    return true;
  }

  /** Returns the possibly open waves in lanes of this queue. */
  Collection<OpenWave> openWaves() {
    if (!waves.isEmpty()) {
      waves.removeIf(OpenWave::exhausted);
    }
    return waves;
  }

  /** Makes claims scan all lanes from the start again. */
  void startOver() {
    cursors.startOver();
    receiveCursors.values().forEach(ClaimCursors::startOver);
    signal();
  }

  /**
   * Makes claims scan all lanes from the start again, in a database that has assigned no position
   * after the given one.
   */
  void startOver(long lastPosition) {
    cursors.startOver(lastPosition);
    receiveCursors.values().forEach(cursors -> cursors.startOver(lastPosition));
    signal();
  }

  /**
   * Returns true if no full scan has become due since the last one, or if a long full scan is in
   * progress. If a full scan is due, jobs may exist although a scan has found none.
   */
  boolean fullyScanned() {
    return cursors.fullyScanned() || cursors.longScanInProgress(System.nanoTime());
  }

  /** Returns true if no job is known that could be claimed. */
  boolean noKnownWork() {
    return cursors.noKnownJobs() && cursors.fullyScanned() && !mayHaveMore();
  }

  /** Returns true if a claim is in progress, or if a wave is open. */
  boolean mayHaveMore() {
    return cursors.scanInProgress() || !openWaves().isEmpty();
  }

  int maxReceivers() {
    QueueLimits now = limits;
    Integer most = now.overAllNodes();
    return most == null ? now.concurrency() : Math.min(most, now.concurrency());
  }

  boolean suspended(long now) {
    return paused() || backoff.pauses(now) || node.outage().paused(now) || node.leaseExpired();
  }

  boolean paused() {
    return limits.paused();
  }

  /** Records an error: no receiver scans the queue for a while. */
  void failed(long now) {
    // An error may have occurred because claims leased too many jobs at a time.
    speeds.forget();
    backoff.failed(now);
  }

  /** Records that the queue works again. */
  void succeeded(long now) {
    backoff.succeeded(now);
  }

  /** Returns true if the pause after an error has ended and the queue has no receiver. */
  boolean errorPauseOver(long now) {
    return slots.receivers() == 0 && backoff.over(now);
  }

  /**
   * Returns the maximum number of jobs that may be leased across all nodes, or null if there is no
   * limit.
   */
  @Nullable Integer limit() {
    return limits.overAllNodes();
  }

  /** Returns true if the queue has a limit across all nodes. */
  boolean limited() {
    return limit() != null;
  }

  /** Records that the limit across all nodes was reached although there may be more jobs. */
  void setLimitReached() {
    limitReached = true;
  }

  /**
   * Returns true if the limit across all nodes was reached very recently, so that another claim
   * would get the same result.
   */
  boolean atLimit() {
    return limitReached;
  }

  /**
   * Returns true once after a claim was refused. The limit is then checked again, because no
   * notification announces that a job on another node has ended.
   */
  boolean takeLimitReached() {
    boolean was = limitReached;
    limitReached = false;
    return was;
  }

  /** Returns the maximum number of jobs of the given types that one claim leases. */
  int prefetch(Collection<String> of) {
    // If a limited queue leased more than one job at a time, waiting jobs would use up the limit of
    // other nodes.
    return limited() ? 1 : speeds.prefetch(of);
  }
}
