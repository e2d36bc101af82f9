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

  /** Waits while a suspect works, or is about to. */
  synchronized void enter() throws InterruptedException {
    while (alone || waitingAlone > 0) {
      wait();
    }
    together++;
  }

  synchronized void leave() {
    together--;
    notifyAll();
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
      return new Turn();
    } finally {
      waitingAlone--;
      notifyAll();
    }
  }

  /** The time that a suspect has to itself. */
  final class Turn {
    private boolean shared;

    /** It has worked for a while: others may work beside it. */
    void share() {
      synchronized (AloneGate.this) {
        if (!shared && alone) {
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

    void end() {
      synchronized (AloneGate.this) {
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
