package org.readpast.engine;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job type with a limit, as this node works it in all queues: how many claims hold jobs of it,
 * and which queues have passed it by because that was as many as may be.
 *
 * <p>A claim counts as one, however many jobs of the type it holds: its receiver works them one
 * after the other.
 */
final class LimitedType {
  private static final long TURN_NANOS = 1_000_000_000L;

  private final String name;
  private final @Nullable Integer most;
  private volatile @Nullable Integer overAllNodes;
  private final Set<String> passedBy = new LinkedHashSet<>();
  // More than six fields change: whether a claim may look for the type depends on all of them.
  private int held;
  private boolean claiming;
  private boolean refused;
  private @Nullable String turn;
  private long turnUntil;

  /**
   * @param most on this node; null: no limit
   */
  LimitedType(String name, @Nullable Integer most) {
    this.name = name;
    this.most = most;
  }

  String name() {
    return name;
  }

  /** Jobs at a time on this node; null: no limit. */
  @Nullable Integer most() {
    return most;
  }

  /** Jobs at a time over all nodes; null: no limit. */
  @Nullable Integer overAllNodes() {
    return overAllNodes;
  }

  /** Sets it; returns true if it was raised or lifted, so that queues may look for more jobs. */
  synchronized boolean overAllNodes(@Nullable Integer limit) {
    Integer before = overAllNodes;
    overAllNodes = limit;
    boolean raised = before != null && (limit == null || limit > before);
    refused &= !raised;
    return raised;
  }

  boolean limited() {
    return most != null || overAllNodes != null;
  }

  /** Returns true if no claim may look for it now. */
  synchronized boolean full() {
    return (most != null && held >= most) || (overAllNodes != null && (refused || claiming));
  }

  /**
   * Counts a claim of a queue in; false if there may be none more, or it is another queue's turn:
   * the queue is woken later.
   */
  synchronized boolean enter(String queue) {
    if (full() || anothersTurn(queue)) {
      passedBy.add(queue);
      return false;
    }
    passedBy.remove(queue);
    turn = null;
    held++;
    // Claims of one node would only find the limit locked by each other.
    claiming = true;
    return true;
  }

  /** Returns true if what may be the last place is kept for another queue. */
  private boolean anothersTurn(String queue) {
    return turn != null
        && !turn.equals(queue)
        && System.nanoTime() - turnUntil < 0
        && (overAllNodes != null || (most != null && held + 1 >= most));
  }

  /**
   * A claim of a queue has found that no job of the type is left there, or its receiver looks once
   * more by itself: other receivers of the queue that have passed the type by meanwhile need not.
   */
  synchronized void foundNone(String queue) {
    passedBy.remove(queue);
  }

  /** A claim that has entered is back; whether it holds jobs of the type. */
  synchronized void claimed(boolean some) {
    claiming = false;
    if (!some) {
      held--;
    }
  }

  /** A claim holds no job of the type any more. */
  synchronized void leave() {
    held--;
    // One fewer counts over all nodes, too.
    refused = false;
  }

  /** The limit over all nodes is reached, or locked: a queue has passed the type by. */
  synchronized void refused(String queue) {
    refused = true;
    passedBy.add(queue);
  }

  /** Returns true once after a refusal: no node reports when a job of another has ended. */
  synchronized boolean takeRefused() {
    boolean was = refused;
    refused = false;
    return was;
  }

  /** Returns true if it is full, so that a queue has to pass it by: the queue is woken later. */
  synchronized boolean passesBy(String queue) {
    boolean full = full();
    if (full) {
      passedBy.add(queue);
    }
    return full;
  }

  /**
   * Takes the queue that has waited longest since it passed the type by, and gives it the next
   * turn, so that a queue with many jobs of the type does not keep the others from theirs; null:
   * none waits, or it may not look now either.
   *
   * @param but its receiver looks by itself; null: none
   */
  synchronized @Nullable String next(@Nullable String but) {
    if (full()) {
      return null;
    }
    for (String queue : passedBy) {
      if (!queue.equals(but)) {
        passedBy.remove(queue);
        turn = queue;
        turnUntil = System.nanoTime() + TURN_NANOS;
        return queue;
      }
    }
    return null;
  }

  /** Returns true if it is the turn of a queue. */
  synchronized boolean isTurnOf(String queue) {
    return queue.equals(turn);
  }

  /** Ends the turn of a queue that cannot or does not take it; returns false if it had none. */
  synchronized boolean endTurn(String queue) {
    boolean had = queue.equals(turn);
    if (had) {
      turn = null;
    }
    return had;
  }
}
