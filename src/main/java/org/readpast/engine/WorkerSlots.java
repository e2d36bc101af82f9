package org.readpast.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the consumers of a queue on this node: receivers on its threads, up to the concurrency of
 * the queue, and callers of {@code JobQueue.receive}.
 *
 * <p>If a signal arrives while a receiver finds no jobs, the receiver does not leave, so no wake-up
 * is lost.
 */
final class WorkerSlots {
  private final ServedQueue queue;
  private volatile long signals;
  private int receivers;
  private int receiveCallers;
  private @Nullable Lingerer lingerer;
  private boolean wakeUpPending = true;

  WorkerSlots(ServedQueue queue) {
    this.queue = queue;
  }

  /**
   * Records that jobs may have arrived.
   *
   * @param several true if there may be more than one job, so that one receiver might not be enough
   */
  synchronized void signal(boolean several) {
    signals++;
    wakeUpPending |= several;
    notifyAll();
  }

  long signals() {
    return signals;
  }

  /** Waits until a further signal has arrived, or until the timeout expires. */
  synchronized void await(long seen, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; signals == seen && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  /** Counts another receiver if the limits of the queue allow one. */
  synchronized boolean enter(long now) {
    if (queue.suspended(now) || receivers >= queue.maxReceivers()) {
      wakeUpPending = true;
      return false;
    }
    receivers++;
    return true;
  }

  /**
   * Returns true if there may be jobs for which no receiver was woken. If false, a receiver that
   * finds a job need not wake another one, because each job that is announced later wakes its own
   * receiver.
   */
  synchronized boolean wakeUpPending() {
    return wakeUpPending;
  }

  /** Records that there may be jobs for which no receiver was woken. */
  synchronized void setWakeUpPending() {
    wakeUpPending = true;
  }

  /**
   * Counts a caller of {@code JobQueue.receive}, which runs on a thread of the application; returns
   * false if the queue is paused.
   */
  synchronized boolean enterReceive() {
    if (queue.paused()) {
      return false;
    }
    receiveCallers++;
    return true;
  }

  synchronized void leaveReceive() {
    receiveCallers--;
  }

  /** Returns the number of receivers and callers, each of which may hold a job. */
  synchronized int inUse() {
    return receivers + receiveCallers;
  }

  /** Returns true if a receiver has to leave although there may be jobs. */
  synchronized boolean tooManyReceivers() {
    return queue.suspended(System.nanoTime()) || receivers > queue.maxReceivers();
  }

  synchronized void leave() {
    receivers--;
    wakeUpPending = true;
  }

  /** Represents a receiver that has found no jobs and waits for a while before it leaves. */
  private static final class Lingerer {
    boolean calledBack;
  }

  /**
   * Stops counting a receiver that has found no jobs, unless a signal has arrived since its scan.
   * One such receiver first lingers, because calling it back takes less time than starting another
   * receiver. If the queue has a limit across all nodes, no receiver lingers, because it would
   * count as a running job.
   *
   * @param seen the number of signals that had arrived before the scan
   * @param lingerNanos returns how long the receiver may linger; called under this object's lock,
   *     so it must not acquire another lock
   * @param first records that the receiver no longer counts; returns false if that was recorded
   *     before
   * @return true if the receiver no longer counts
   */
  synchronized boolean leaveIfNotSignalled(
      long seen, LongSupplier lingerNanos, BooleanSupplier first) throws InterruptedException {
    if (signals != seen) {
      return false;
    }
    // The wake-up is recorded before the receiver lingers, while the result of the scan is still
    // valid.
    wakeUpPending &= queue.mayHaveMore();
    if (lingerer == null && !queue.limited() && calledBackWithin(lingerNanos.getAsLong())) {
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

  /** Calls the lingering receiver back; returns false if there is none. */
  synchronized boolean callBack() {
    Lingerer called = lingerer;
    if (called != null) {
      called.calledBack = true;
      endLingering();
    }
    return called != null;
  }

  /** Makes the lingering receiver leave, because its worker is needed elsewhere. */
  synchronized void endLingering() {
    lingerer = null;
    notifyAll();
  }

  /** Returns true if a receiver can be called back. */
  synchronized boolean lingers() {
    return lingerer != null;
  }

  synchronized int receivers() {
    return receivers;
  }

  /** Returns true if the given number of further receivers could start now. */
  synchronized boolean hasRoom(int more, long now) {
    int others = lingerer == null ? receivers : receivers - 1;
    return !queue.suspended(now) && others + more <= queue.maxReceivers();
  }
}
