package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.database.TransientErrors;
import org.readpast.engine.CrashIsolation.Admission;
import org.readpast.model.Failure;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;

/**
 * Runs leased jobs in mode TRANSACTIONAL. One container transaction runs the handler and ends the
 * job under the fence of its lease, or is rolled back. The transaction runs a single job, or
 * several jobs of a type that allows this.
 */
final class TransactionalWork {
  private static final Logger LOG = System.getLogger(TransactionalWork.class.getName());
  // The watchdog interrupts and ends overdue jobs. The container's own timeout applies only if the
  // watchdog fails to end the job.
  private static final Duration MARGIN = Duration.ofSeconds(15);

  private final EngineContext at;

  TransactionalWork(EngineContext at) {
    this.at = at;
  }

  /** Tracks the progress of one transaction. */
  private static final class InTransaction {
    final List<EndedJob> ended = new ArrayList<>();
    final List<NewJob> toEnqueue = new ArrayList<>();
    final List<ClaimedJob> started = new ArrayList<>();

    /** Contains the jobs that could not be ended, because this node no longer owned them. */
    final List<ClaimedJob> lost = new ArrayList<>();

    /** Holds the outcome of the last job that was started; null if its attempt did not complete. */
    @Nullable Outcome outcome;
  }

  /** Runs jobs of one type in one transaction. */
  void work(ServedQueue served, ClaimedJobs jobs, List<ClaimedJob> claimed, Admission admission) {
    List<ClaimedJob> jobsOfTransaction = decrypted(jobs, claimed);
    if (jobsOfTransaction.isEmpty()) {
      return;
    }
    HandlerDefinition handler = at.handlers().get(jobsOfTransaction.get(0).type());
    InTransaction progress = new InTransaction();
    long since = System.nanoTime();
    boolean committed = false;
    Throwable failure = null;
    try {
      committed =
          at.transactions()
              .inHandlerTransaction(
                  handler.timeout().multipliedBy(jobsOfTransaction.size()).plus(MARGIN),
                  () -> run(served, jobsOfTransaction, handler, admission, progress));
    } catch (Throwable e) {
      failure = e;
    }
    List<ClaimedJob> notStarted = new ArrayList<>(jobsOfTransaction);
    notStarted.removeAll(progress.started);
    if (committed) {
      progress.ended.forEach(end -> notStarted.remove(end.job()));
      jobs.putBack(notStarted);
      finished(jobs, progress);
    } else {
      // The rollback also undid the end of expired jobs; the next claim finds them expired again.
      notStarted.removeAll(progress.lost);
      jobs.putBack(notStarted);
      failed(jobs, handler, progress, failure, since);
    }
  }

  /**
   * Postpones the jobs that cannot be decrypted, because they would cause a rollback of the others;
   * returns the others.
   */
  private List<ClaimedJob> decrypted(ClaimedJobs jobs, List<ClaimedJob> claimed) {
    List<ClaimedJob> jobsOfTransaction = new ArrayList<>(claimed);
    for (ClaimedJob job : claimed) {
      String encrypted = job.encrypted();
      if (encrypted != null && !job.expired()) {
        jobsOfTransaction.remove(job);
        Throwable why = new UnreadablePayloadException(encrypted, null);
        at.recorder()
            .record(jobs, job, new Outcome.Unreadable(Failure.of(Failure.Kind.UNREADABLE, why)));
      }
    }
    return jobsOfTransaction;
  }

  /** Runs the handlers; returns true if the transaction is to be committed. */
  private boolean run(
      ServedQueue served,
      List<ClaimedJob> jobsOfTransaction,
      HandlerDefinition handler,
      Admission admission,
      InTransaction progress) {
    for (ClaimedJob job : jobsOfTransaction) {
      if (!progress.started.isEmpty()
          && (served.slots().tooManyReceivers() || at.node().stopping())) {
        break;
      }
      if (job.expired()) {
        progress.ended.add(EndedJob.of(job, JobState.EXPIRED));
      } else if (!succeeds(served, job, handler, admission, progress)) {
        return false;
      }
    }
    at.attempts().storeOutputInTransaction(progress.started);
    List<EndedJob> lost = at.jobEnds().endInTransaction(progress.ended, at.node().no());
    if (!lost.isEmpty()) {
      Acknowledgements.lost(lost);
      lost.forEach(end -> progress.lost.add(end.job()));
      return false;
    }
    if (!progress.toEnqueue.isEmpty()) {
      at.enqueuer().enqueue(progress.toEnqueue);
    }
    return true;
  }

  private boolean succeeds(
      ServedQueue served,
      ClaimedJob job,
      HandlerDefinition handler,
      Admission admission,
      InTransaction progress) {
    progress.outcome = null;
    // A job has started once its handler is called: if the connection breaks before that, the job
    // is released and no attempt is counted.
    int session = at.sessions().current();
    Attempt attempt = at.attempts().begin(job, handler, true, admission);
    at.activeJobs().add(attempt);
    try {
      boolean ours = at.attempts().recordStart(job, attempt.maxAttempts());
      progress.started.add(job);
      if (!ours) {
        at.recorder().lost(job);
        progress.outcome = new Outcome.NotOurs();
        return false;
      }
      attempt.setBackend(session);
      Outcome outcome =
          HandlerInvoker.run(attempt, handler, thrown -> endedByDatabase(attempt, thrown));
      if (outcome instanceof Outcome.Completed && !at.transactions().committable()) {
        Throwable why =
            new ReadpastException(
                "the handler returned, but its transaction is marked for rollback");
        outcome =
            endedByDatabase(attempt, null)
                ? HandlerInvoker.infrastructureFault(job, handler, why, true)
                : HandlerInvoker.failed(job, handler, why, false);
      }
      progress.outcome = outcome;
      served.attempted(job, outcome);
      if (outcome instanceof Outcome.Completed completed) {
        progress.ended.add(EndedJob.succeeded(job, completed.result()));
        progress.toEnqueue.addAll(attempt.toEnqueue());
        return true;
      }
      return false;
    } finally {
      at.counters().ran(job, attempt.age(System.nanoTime()));
      at.activeJobs().remove(attempt);
    }
  }

  /**
   * Returns true if the database was unavailable during the attempt, or if the handler threw an
   * exception because the connection of its transaction broke. Returns false if another database
   * that the handler uses is unavailable, so that the retries of the job apply.
   */
  private boolean endedByDatabase(Attempt attempt, @Nullable Throwable thrown) {
    boolean noticed = at.node().outage().unavailableAfter(attempt.startedNanos());
    // A server may refuse further statements in a transaction that is marked for rollback.
    if (noticed || !TransientErrors.isOutage(thrown)) {
      return noticed;
    }
    try {
      at.claims().backend();
      // An outage that has ended may have broken another connection of the handler.
      return at.node().outage().lasts();
    } catch (RuntimeException e) {
      return TransientErrors.isOutage(e);
    }
  }

  private void finished(ClaimedJobs jobs, InTransaction progress) {
    List<Long> ids = progress.ended.stream().map(end -> end.job().id()).toList();
    jobs.closed(ids.size());
    if (!ids.isEmpty()) {
      progress.started.forEach(at.counters()::completed);
      at.jobsEnded().accept(ids);
    }
  }

  /** Records the failure of the job at fault; each other started job runs again, alone. */
  private void failed(
      ClaimedJobs jobs,
      HandlerDefinition handler,
      InTransaction progress,
      @Nullable Throwable failure,
      long since) {
    progress.lost.forEach(at.recorder()::lost);
    if (progress.started.isEmpty()) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw failure instanceof RuntimeException unchecked
            ? unchecked
            : new IllegalStateException(failure);
      }
      return;
    }
    List<ClaimedJob> notAtFault = new ArrayList<>(progress.started);
    notAtFault.removeAll(progress.lost);
    Outcome outcome = progress.outcome;
    ClaimedJob last = progress.started.get(progress.started.size() - 1);
    boolean worked = outcome == null || outcome instanceof Outcome.Completed;
    if (progress.lost.isEmpty() && (!worked || progress.started.size() == 1)) {
      notAtFault.remove(last);
      Outcome recorded =
          worked
              ? outcomeOfRollback(last, handler, outcome, Objects.requireNonNull(failure), since)
              : outcome;
      at.recorder().record(jobs, last, Objects.requireNonNull(recorded));
    } else if (failure != null) {
      LOG.log(Level.DEBUG, "jobs failed to commit together; each runs again alone", failure);
    }
    // The release is fenced: if the commit had succeeded and only its response was lost, the jobs
    // have ended and are skipped.
    jobs.undo(notAtFault);
  }

  /**
   * Returns the outcome of a transaction that was not committed although its only handler did not
   * fail.
   */
  private Outcome outcomeOfRollback(
      ClaimedJob job,
      HandlerDefinition handler,
      @Nullable Outcome outcome,
      Throwable failure,
      long since) {
    // Payara hides the exception of the driver if a commit fails.
    return outcome == null || TransientErrors.isTransient(failure) || at.databaseUnavailable(since)
        ? HandlerInvoker.infrastructureFault(job, handler, failure, true)
        : HandlerInvoker.failed(job, handler, failure, false);
  }
}
