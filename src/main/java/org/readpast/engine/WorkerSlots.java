package org.readpast.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who works a queue on this node: receivers on its threads, up to the queue's concurrency, and
 * applications that receive by themselves.
 *
 * <p>A signal that comes while a receiver finds nothing keeps that receiver from leaving, so no
 * wake-up is lost.
 */
final class WorkerSlots {
  private final ServedQueue queue;
  private volatile long signals;
  private int receivers;
  private int pulled;
  private @Nullable Lingerer lingerer;
  private boolean unattended = true;

  WorkerSlots(ServedQueue queue) {
    this.queue = queue;
  }

  /** Jobs may have come; several: more than one, so that one receiver may not do. */
  synchronized void came(boolean several) {
    signals++;
    unattended |= several;
    notifyAll();
  }

  long signals() {
    return signals;
  }

  /** Waits until something may have come since the signals were counted so. */
  synchronized void await(long seen, long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; signals == seen && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
  }

  /** Counts one more receiver in, if there may be one. */
  synchronized boolean enter(long now) {
    if (queue.resting(now) || receivers >= queue.mostReceivers()) {
      unattended = true;
      return false;
    }
    receivers++;
    return true;
  }

  /**
   * Returns true if there may be jobs for which no receiver was woken. If false, a receiver that
   * finds a job need not wake another: each job that is announced later wakes its own.
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
    if (queue.paused()) {
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

  /** Whether a receiver is to leave although there is work. */
  synchronized boolean overstaffed() {
    return queue.resting(System.nanoTime()) || receivers > queue.mostReceivers();
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
   * @param lingerNanos how long it may linger; asked under this object's lock, so it takes no other
   * @param first whether nobody has counted it out before
   */
  synchronized boolean leaveIfQuiet(long seen, LongSupplier lingerNanos, BooleanSupplier first)
      throws InterruptedException {
    if (signals != seen) {
      return false;
    }
    // Now, as long as its look says something of it.
    unattended &= queue.mayHaveMore();
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
    return !queue.resting(now) && others + more <= queue.mostReceivers();
  }
}
