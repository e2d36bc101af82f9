package org.readpast.dependency;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.WaveRange;
import org.readpast.store.Wave;

/**
 * Represents a wave that was opened recently, restricted to its jobs in one lane. Receivers claim
 * the jobs of an open wave while they are BLOCKED, which takes half as long as releasing them
 * first.
 *
 * <p>An open wave is only a hint: each claim checks whether the wave is open, and the resolver
 * releases jobs that no receiver claims.
 */
public final class OpenWave {
  private static final long LONGEST_PAUSE_NANOS = 200_000_000L;
  // The maximum time for which jobs of the wave in other lanes wait.
  private static final long LONGEST_NANOS = 1_000_000_000L;
  private static final long UNUSED_NANOS = 60_000_000_000L;
  // The maximum time for which followers of jobs of the wave wait. A thousand short jobs take less
  // time.
  private static final long DEFERRED_NANOS = 100_000_000L;

  private final int node;
  private final QueueLane lane;
  private final Wave wave;
  private final @Nullable Runnable ended;
  private final int jobs;
  // This class has more than six mutable fields: one lock protects the two ends of the wave and the
  // claims between them.
  private int remaining;
  private int requested;
  private long after;
  private long before = Long.MAX_VALUE;
  // At most one claim runs at each end of the wave, because a second one would skip rows that the
  // first has just locked.
  private boolean atTheStart;
  private boolean atTheEnd;
  private int holders;
  private boolean wakeUpOwed;
  private final long opened = System.nanoTime();
  private long lastClaim = opened;
  private boolean exhausted;

  /**
   * @param node the node that has opened the wave
   * @param jobs the maximum number of jobs in the wave, as far as it is known
   * @param ended called when this node no longer holds jobs of the wave, or when a claim has found
   *     none, because other jobs of the wave may be left; null if another node has opened the wave
   */
  public OpenWave(int node, QueueLane lane, Wave wave, int jobs, @Nullable Runnable ended) {
    this.node = node;
    this.lane = lane;
    this.wave = wave;
    this.jobs = jobs;
    this.remaining = jobs;
    this.ended = ended;
  }

  /** Parses a notification from another node. */
  public static OpenWave parse(String message) {
    String[] parts = message.split(String.valueOf(QueueLane.SEPARATOR));
    if (parts.length != 7) {
      throw new IllegalArgumentException(message);
    }
    return new OpenWave(
        Integer.parseInt(parts[0]),
        new QueueLane(parts[1], parts[2], Integer.parseInt(parts[3])),
        new Wave(Long.parseLong(parts[4]), Integer.parseInt(parts[5])),
        Integer.parseInt(parts[6]),
        null);
  }

  /** Returns the notification that informs other nodes of the open wave. */
  public String encode() {
    char separator = QueueLane.SEPARATOR;
    return ""
        + node
        + separator
        + lane.encode()
        + separator
        + wave.batch()
        + separator
        + wave.no()
        + separator
        + jobs;
  }

  /** Returns the number of the node that has opened the wave. */
  public int node() {
    return node;
  }

  public QueueLane lane() {
    return lane;
  }

  Wave wave() {
    return wave;
  }

  /**
   * Begins a claim for up to the given number of jobs. Returns the range to claim from, or null if
   * the claim would find no jobs.
   */
  public synchronized @Nullable WaveRange beginClaim(int most) {
    if (!admitsAnother()) {
      return null;
    }
    boolean fromTheEnd = atTheStart;
    atTheStart = true;
    atTheEnd |= fromTheEnd;
    requested += most;
    return new WaveRange(
        wave, lane.queue(), lane.type(), lane.priority(), after, before, fromTheEnd, most);
  }

  /** Returns true if another claim may find jobs. */
  public synchronized boolean admitsAnother() {
    return !exhausted && remaining > requested && !(atTheStart && atTheEnd);
  }

  /**
   * Ends a claim, and records which jobs it has found. The receiver holds the claimed jobs until it
   * calls {@link #release}.
   */
  public void endClaim(WaveRange claim, List<ClaimedJob> jobs) {
    record(claim, jobs);
    if (jobs.isEmpty() && ended != null) {
      // If the claim has found jobs, the resolver is woken when they have ended.
      ended.run();
    }
  }

  /** Records that a receiver no longer holds the jobs that a claim has found. */
  public void release() {
    if (releasesLast() && ended != null) {
      ended.run();
    }
  }

  private synchronized boolean releasesLast() {
    holders--;
    boolean last = holders == 0 && !claimsInProgress();
    wakeUpOwed &= !last;
    return last;
  }

  /**
   * Records that jobs have ended. Returns true if the resolver need not be notified before the last
   * receiver has called {@link #release}. The last end of a wave opens the next wave, and must not
   * wait until the resolver has processed the earlier ends.
   */
  public synchronized boolean deferResolverWakeUp(long now) {
    boolean deferred = defersWakeUp(now);
    wakeUpOwed |= deferred;
    return deferred;
  }

  private boolean defersWakeUp(long now) {
    return ended != null && now - opened < DEFERRED_NANOS;
  }

  /** Notifies the resolver of jobs that have ended, if other running jobs take too long. */
  public void wakeResolverIfLate(long now) {
    if (ended != null && takeLateWakeUp(now)) {
      ended.run();
    }
  }

  private synchronized boolean takeLateWakeUp(long now) {
    boolean late = wakeUpOwed && !defersWakeUp(now);
    wakeUpOwed &= !late;
    return late;
  }

  private synchronized void record(WaveRange claim, List<ClaimedJob> jobs) {
    if (claim.fromTheEnd()) {
      atTheEnd = false;
    } else {
      atTheStart = false;
    }
    requested -= claim.most();
    remaining -= jobs.size();
    exhausted |= jobs.size() < claim.most() || remaining <= 0;
    if (!jobs.isEmpty()) {
      holders++;
      lastClaim = System.nanoTime();
      long last = jobs.get(jobs.size() - 1).id();
      if (claim.fromTheEnd()) {
        before = last;
      } else {
        after = last;
      }
    }
  }

  private boolean claimsInProgress() {
    return atTheStart || atTheEnd;
  }

  /** Returns true if further claims must not use this wave. */
  public synchronized boolean exhausted() {
    return exhausted;
  }

  /** Returns true if the other object describes the same wave in the same lane. */
  public boolean isLike(OpenWave other) {
    return wave.equals(other.wave) && lane.equals(other.lane);
  }

  /**
   * Returns true if the other object is no longer needed: it describes an earlier wave of the
   * batch, or the same jobs, but only this one was opened by this node.
   */
  public boolean replaces(OpenWave other) {
    return wave.batch() == other.wave.batch() && wave.no() > other.wave.no()
        || isLike(other) && ended != null && other.ended == null;
  }

  /** Returns true if receivers of this node are still claiming jobs from the wave. */
  synchronized boolean stillClaimed(long now) {
    return now - opened < LONGEST_NANOS
        && (claimsInProgress() || !exhausted && now - lastClaim < LONGEST_PAUSE_NANOS);
  }

  /** Returns true if no receiver has claimed from the wave for a minute. */
  public synchronized boolean unused(long now) {
    return now - lastClaim > UNUSED_NANOS;
  }
}
