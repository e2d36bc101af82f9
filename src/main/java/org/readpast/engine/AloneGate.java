package org.readpast.engine;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets jobs of this node work beside each other, or one suspect alone. A job that kills its server
 * is found by letting those that were in work at the time run one by one; so no neighbour is
 * charged for it.
 */
final class AloneGate {
  private int together;
  private boolean alone;
  private int waitingAlone;

  private boolean open() {
    return !alone && waitingAlone == 0;
  }

  /** Waits while a suspect works, or is about to. */
  synchronized void awaitOpen() throws InterruptedException {
    while (!open()) {
      wait();
    }
  }

  /** Goes in beside others if no suspect works, or is about to; else null. */
  synchronized @Nullable Turn tryEnter() {
    if (!open()) {
      return null;
    }
    together++;
    return new Turn(true);
  }

  /**
   * Goes in beside others, and waits for that while a suspect works, or is about to; null when that
   * takes too long.
   */
  synchronized @Nullable Turn enter(long longestMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMillis);
    for (long left = longestMillis; !open() && left > 0; ) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    return tryEnter();
  }

  /**
   * Waits until nothing else is in work, and keeps others out meanwhile; null when that takes too
   * long.
   */
  synchronized @Nullable Turn enterAlone(long longestMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMillis);
    waitingAlone++;
    try {
      while (alone || together > 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return null;
        }
        wait(left);
      }
      alone = true;
      return new Turn(false);
    } finally {
      waitingAlone--;
      notifyAll();
    }
  }

  /** The time that a job has, beside others or to itself. */
  final class Turn {
    private boolean shared;
    private boolean ended;

    private Turn(boolean shared) {
      this.shared = shared;
    }

    /** It has worked alone for a while: others may work beside it. */
    void share() {
      synchronized (AloneGate.this) {
        if (!shared && !ended) {
          shared = true;
          alone = false;
          together++;
          AloneGate.this.notifyAll();
        }
      }
    }

    boolean shared() {
      synchronized (AloneGate.this) {
        return shared;
      }
    }

    /** Makes room, once: also when its thread is given up on, and comes back later. */
    void end() {
      synchronized (AloneGate.this) {
        if (ended) {
          return;
        }
        ended = true;
        if (shared) {
          together--;
        } else {
          alone = false;
        }
        AloneGate.this.notifyAll();
      }
    }
  }
}
