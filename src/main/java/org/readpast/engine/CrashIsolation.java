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
  // The maximum time that a suspect waits for other suspects, for jobs that are about to start, and
  // for running jobs.
  private static final long LONGEST_WAIT_NANOS = CLOSED_NANOS / 2;

  private final Semaphore suspects = new Semaphore(1);
  private int running;
  private int waiting;
  private boolean closed;
  private long closedUntil;

  /**
   * Registers a job that is about to start. A suspect briefly keeps other jobs from starting, which
   * wait here.
   *
   * @param suspect true if the job is a suspect
   * @return the admission of the job, or null if other suspects keep this node occupied for too
   *     long
   */
  @Nullable Admission enter(boolean suspect) throws InterruptedException {
    return suspect ? enterAlone() : enterWithOthers();
  }

  private synchronized Admission enterWithOthers() throws InterruptedException {
    waiting++;
    try {
      for (long left = closedFor(); left > 0; left = closedFor()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      running++;
      return new Admission(this::leave);
    } finally {
      waiting--;
      notifyAll();
    }
  }

  private synchronized long closedFor() {
    return closed ? closedUntil - System.nanoTime() : 0;
  }

  private synchronized void leave() {
    running--;
    notifyAll();
  }

  private @Nullable Admission enterAlone() throws InterruptedException {
    // Behind a suspect that runs for long, a receiver that waited would keep its queue from others.
    long wait = closedFor() < 0 ? 0 : LONGEST_WAIT_NANOS;
    if (!suspects.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
      return null;
    }
    Admission admission = new Admission(this::leaveAlone);
    try {
      close();
      return admission;
    } catch (InterruptedException e) {
      admission.end();
      throw e;
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

  private synchronized void leaveAlone() {
    closed = false;
    notifyAll();
    suspects.release();
  }

  /** Represents the admission of one job, from its start until it no longer runs. */
  static final class Admission {
    private final Runnable onEnd;
    private boolean ended;

    private Admission(Runnable onEnd) {
      this.onEnd = onEnd;
    }

    /**
     * Records that the job no longer runs. Only the first call has an effect, because a thread that
     * was abandoned may return later.
     */
    synchronized void end() {
      if (!ended) {
        ended = true;
        onEnd.run();
      }
    }
  }
}
