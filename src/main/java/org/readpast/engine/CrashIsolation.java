package org.readpast.engine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs suspects apart from other jobs: jobs that were running at two deaths of nodes, or that the
 * next death makes a dead letter. One suspect runs at a time on a node, and for a second at most no
 * other job starts beside it. So few jobs that happen to run beside it are charged with its
 * crashes.
 */
final class CrashIsolation {
  private static final long CLOSED_NANOS = TimeUnit.SECONDS.toNanos(1);
  // It waits as long for its turn, for the jobs that are about to start, and for those that run.
  private static final long LONGEST_WAIT_NANOS = CLOSED_NANOS / 2;

  private final Semaphore suspects = new Semaphore(1);
  private int running;
  private int waiting;
  private boolean closed;
  private long closedUntil;

  /** Counts a job in that is about to start; waits while a suspect has the node to itself. */
  synchronized void enter() throws InterruptedException {
    waiting++;
    try {
      for (long left = closedFor(); left > 0; left = closedFor()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      running++;
    } finally {
      waiting--;
      notifyAll();
    }
  }

  private long closedFor() {
    return closed ? closedUntil - System.nanoTime() : 0;
  }

  /** Counts a job out. */
  synchronized void leave() {
    running--;
    notifyAll();
  }

  /**
   * Counts a suspect in, and keeps other jobs from starting for a moment.
   *
   * @return null if other suspects run on this node for long
   */
  @Nullable Turn enterAlone() throws InterruptedException {
    if (!suspects.tryAcquire(LONGEST_WAIT_NANOS, TimeUnit.NANOSECONDS)) {
      return null;
    }
    Turn turn = new Turn();
    boolean entered = false;
    try {
      close();
      entered = true;
      return turn;
    } finally {
      if (!entered) {
        turn.end();
      }
    }
  }

  private synchronized void close() throws InterruptedException {
    // Those that waited for the suspect before this one go first.
    awaitUntil(() -> waiting == 0);
    closed = true;
    closedUntil = System.nanoTime() + CLOSED_NANOS;
    awaitUntil(() -> running == 0);
  }

  private void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LONGEST_WAIT_NANOS;
    for (long left = LONGEST_WAIT_NANOS; !condition.getAsBoolean() && left > 0; ) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }

  private synchronized void open() {
    closed = false;
    notifyAll();
  }

  /** The time in which a suspect runs. */
  final class Turn {
    private boolean ended;

    /** Lets the next suspect in; once, also when its thread is given up and returns later. */
    synchronized void end() {
      if (!ended) {
        ended = true;
        open();
        suspects.release();
      }
    }
  }
}
