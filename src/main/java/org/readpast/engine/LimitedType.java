package org.readpast.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Represents a job type with a limit, as seen by all queues of this node. An instance counts the
 * claims that hold jobs of the type, and keeps track of the queues that have skipped the type
 * because the limit was reached.
 *
 * <p>A claim counts once, regardless of the number of jobs of the type that it holds, because its
 * receiver runs them one after the other.
 */
final class LimitedType {
  private static final long RESERVATION_NANOS = 1_000_000_000L;

  private final String name;
  private final @Nullable Integer most;
  private volatile @Nullable Integer overAllNodes;
  private final Set<String> skippedBy = new LinkedHashSet<>();
  // This class has more than six mutable fields: all of them decide whether a claim may take jobs
  // of the type.
  private int held;
  private boolean claiming;
  private boolean limitReached;
  private @Nullable String reservedFor;
  private long reservedUntil;

  /**
   * @param most the limit on this node, or null if there is none
   */
  LimitedType(String name, @Nullable Integer most) {
    this.name = name;
    this.most = most;
  }

  String name() {
    return name;
  }

  /** Returns the maximum number of concurrent jobs on this node; null: no limit. */
  @Nullable Integer most() {
    return most;
  }

  /** Returns the maximum number of concurrent jobs across all nodes; null: no limit. */
  @Nullable Integer overAllNodes() {
    return overAllNodes;
  }

  /**
   * Sets the limit across all nodes. Returns true if the limit was raised or removed, so that
   * queues may have more jobs to claim.
   */
  synchronized boolean overAllNodes(@Nullable Integer limit) {
    Integer before = overAllNodes;
    overAllNodes = limit;
    boolean raised = before != null && (limit == null || limit > before);
    limitReached &= !raised;
    return raised;
  }

  boolean limited() {
    return most != null || overAllNodes != null;
  }

  /** Returns true if no claim may take jobs of the type now. */
  synchronized boolean noSlotFree() {
    return (most != null && held >= most) || (overAllNodes != null && (limitReached || claiming));
  }

  /**
   * Counts a new claim of a queue. Returns false if the limit is reached or the next claim is
   * reserved for another queue; the queue is then woken later.
   */
  synchronized boolean enter(String queue) {
    if (noSlotFree() || reservedForAnother(queue)) {
      skippedBy.add(queue);
      return false;
    }
    skippedBy.remove(queue);
    reservedFor = null;
    held++;
    // If the limit applies across all nodes, a concurrent claim of this node would only find it
    // locked.
    claiming = true;
    return true;
  }

  /** Returns true if only one slot may be left, which is reserved for another queue. */
  private boolean reservedForAnother(String queue) {
    return reservedFor != null
        && !reservedFor.equals(queue)
        && System.nanoTime() - reservedUntil < 0
        && (overAllNodes != null || (most != null && held + 1 >= most));
  }

  /**
   * Forgets that a queue has skipped the type, because a claim of the queue has found no job of the
   * type. If that claim was a quick scan, its receiver scans once more. Therefore other receivers
   * of the queue that have skipped the type in the meantime need not be woken.
   */
  synchronized void foundNone(String queue) {
    skippedBy.remove(queue);
  }

  /**
   * Records the result of a claim that {@link #enter} has counted. The claim continues to count
   * only if it holds jobs of the type.
   */
  synchronized void claimed(boolean some) {
    claiming = false;
    if (!some) {
      held--;
    }
  }

  /** Stops counting a claim that no longer holds jobs of the type. */
  synchronized void leave() {
    held--;
    // The number of running jobs across all nodes has also decreased.
    limitReached = false;
  }

  /**
   * Records that a queue has skipped the type because the limit across all nodes is reached or
   * locked.
   */
  synchronized void setLimitReached(String queue) {
    limitReached = true;
    skippedBy.add(queue);
  }

  /**
   * Returns true once after a claim was refused. The limit is then checked again, because no
   * notification announces that a job on another node has ended.
   */
  synchronized boolean takeLimitReached() {
    boolean was = limitReached;
    limitReached = false;
    return was;
  }

  /**
   * Returns true if the limit is reached, so that a queue has to skip the type; the queue is woken
   * later.
   */
  synchronized boolean mustSkip(String queue) {
    boolean mustSkip = noSlotFree();
    if (mustSkip) {
      skippedBy.add(queue);
    }
    return mustSkip;
  }

  /**
   * Removes and returns the queue that has waited longest since it skipped the type. The next claim
   * is reserved for the returned queue, so that a queue with many jobs of the type does not starve
   * the others. Returns null if no queue waits, or if no claim may take jobs of the type now.
   *
   * @param except a queue to leave out, because its receiver scans it anyway, or null
   */
  synchronized @Nullable String next(@Nullable String except) {
    if (noSlotFree()) {
      return null;
    }
    for (String queue : skippedBy) {
      if (!queue.equals(except)) {
        skippedBy.remove(queue);
        reservedFor = queue;
        reservedUntil = System.nanoTime() + RESERVATION_NANOS;
        return queue;
      }
    }
    return null;
  }

  /** Returns true if the next claim is reserved for a queue. */
  synchronized boolean isReservedFor(String queue) {
    return queue.equals(reservedFor);
  }

  /**
   * Ends the reservation of a queue that cannot use it or does not use it. Returns false if the
   * queue had none.
   */
  synchronized boolean endReservation(String queue) {
    boolean had = queue.equals(reservedFor);
    if (had) {
      reservedFor = null;
    }
    return had;
  }
}
