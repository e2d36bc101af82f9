package org.readpast.engine;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs suspects separately from other jobs. A suspect is a job that was running at two deaths of
 * nodes, or that becomes a dead letter at the next death. One suspect at a time runs on a node, and
 * no other job starts for up to a second after it has started. Therefore only few jobs that happen
 * to run at the same time are charged with a crash of the suspect.
 */
final class CrashIsolation {
  private static final long CLOSED_NANOS = TimeUnit.SECONDS.toNanos(1);
  // The maximum time that a suspect waits for its turn, for jobs that are about to start, and for
  // running jobs.
  private static final long LONGEST_WAIT_NANOS = CLOSED_NANOS / 2;

  private final Semaphore suspects = new Semaphore(1);
  private int running;
  private int waiting;
  private boolean closed;
  private long closedUntil;

  /**
   * Registers a job that is about to start; waits while a suspect keeps other jobs from starting.
   */
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

  /** Unregisters a job that has finished. */
  synchronized void leave() {
    running--;
    notifyAll();
  }

  /**
   * Registers a suspect, and briefly keeps other jobs from starting.
   *
   * @return the turn of the suspect, or null if other suspects keep this node occupied for too long
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
    // Jobs that were waiting for the previous suspect start before this suspect.
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

  /** Represents the period during which a suspect runs. */
  final class Turn {
    private boolean ended;

    /**
     * Allows the next suspect to run. Only the first call has an effect, because a thread that was
     * abandoned may return later.
     */
    synchronized void end() {
      if (!ended) {
        ended = true;
        open();
        suspects.release();
      }
    }
  }
}
