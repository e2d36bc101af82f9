package org.readpast.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobOutcomes;
import org.readpast.admin.store.JobOutcomes.Answer;
import org.readpast.api.JobState;
import org.readpast.api.NotFoundException;
import org.readpast.api.ReadpastException;
import org.readpast.database.Transactions;
import org.readpast.engine.EndSignals;

/**
 * Lets callers wait for the end of a job. The node that ends the job wakes the callers. The callers
 * also poll, because the notification can get lost.
 */
public final class EndWaiter {
  private static final long FIRST_LOOK_MILLIS = 50;
  private static final long LOOK_MILLIS = 1_000;
  private static final long LONGEST_NANOS = Duration.ofDays(3_650).toNanos();

  private final Transactions transactions;
  private final JobOutcomes outcomes;
  private final Supplier<EndSignals> engine;

  /**
   * @param engine returns the signals of the running engine for ended jobs
   */
  public EndWaiter(Transactions transactions, Supplier<EndSignals> engine) {
    this.transactions = transactions;
    this.outcomes = new JobOutcomes(transactions);
    this.engine = engine;
  }

  /**
   * Waits for the end of a job.
   *
   * @return the final state, or the current state when the timeout expires
   */
  public Answer await(long job, Duration timeout) {
    long start = System.nanoTime();
    long allowed =
        timeout.compareTo(Duration.ofNanos(LONGEST_NANOS)) < 0 ? timeout.toNanos() : LONGEST_NANOS;
    EndSignals endSignals = engine.get();
    EndSignals.Waiters waiters = endSignals.enter(job);
    try {
      Answer before = null;
      long pause = FIRST_LOOK_MILLIS;
      long asked = start - EndSignals.REQUEST_LIFETIME.toNanos();
      while (true) {
        long seen = waiters.signals();
        Answer now = look(job);
        if (now == null) {
          if (before != null) {
            // The job has succeeded in a queue that keeps no completed jobs; all other ended jobs
            // are kept.
            return new Answer(JobState.COMPLETED, null);
          }
          throw unknown(job);
        }
        long left = TimeUnit.NANOSECONDS.toMillis(allowed - (System.nanoTime() - start));
        if (now.state().ended() || left <= 0) {
          return now;
        }
        before = now;
        if (System.nanoTime() - asked > EndSignals.REQUEST_LIFETIME.toNanos() / 2) {
          asked = System.nanoTime();
          endSignals.requestSignal(job);
        }
        waiters.await(seen, Math.min(left, pause));
        pause = Math.min(LOOK_MILLIS, pause * 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Answer now = look(job);
      return now == null ? new Answer(JobState.COMPLETED, null) : now;
    } finally {
      endSignals.leave(job);
    }
  }

  /** Returns the committed state, regardless of what the caller's own transaction sees. */
  private @Nullable Answer look(long job) {
    return transactions.requiresNew(() -> Optional.ofNullable(outcomes.find(job))).orElse(null);
  }

  private ReadpastException unknown(long job) {
    boolean own =
        transactions.committable()
            && transactions.required(() -> outcomes.find(job) != null)
            && look(job) == null;
    return own
        ? new ReadpastException(
            "job "
                + job
                + " was enqueued in the caller's own transaction and cannot start before"
                + " it commits; commit the transaction first, then await the job")
        : new NotFoundException(
            "job "
                + job
                + " does not exist; it never existed, its retention has passed, or its"
                + " queue does not keep completed jobs");
  }
}
