package org.readpast.engine;

import java.util.List;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.database.TransientErrors;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;

/**
 * Runs a job in mode LEASED: its handler runs without a transaction, and its end is acknowledged
 * together with other ends.
 */
final class LeasedWork {
  private final EngineContext at;

  LeasedWork(EngineContext at) {
    this.at = at;
  }

  /** Runs a job. The ended job stays with the claim until it is acknowledged. */
  void work(
      ServedQueue served,
      ClaimedJobs jobs,
      ClaimedJob job,
      HandlerDefinition handler,
      CrashIsolation.Admission admission) {
    if (job.expired()) {
      jobs.ended(EndedJob.of(job, JobState.EXPIRED));
      return;
    }
    Attempt attempt = at.attempts().begin(job, handler, false, admission);
    at.activeJobs().add(attempt);
    boolean begun = false;
    try {
      boolean ours = at.attempts().recordStart(job, attempt.maxAttempts());
      begun = true;
      if (ours) {
        end(served, attempt, handler, jobs);
      } else {
        jobs.leaveOpen(job);
      }
    } catch (Throwable t) {
      if (begun) {
        // Without a recorded outcome, the heartbeat would take the job for a claim whose response
        // was lost, and release it as not started.
        at.recorder().record(jobs, job, HandlerInvoker.infrastructureFault(job, handler, t, false));
      } else {
        jobs.putBack(List.of(job));
      }
      throw t;
    } finally {
      at.counters().ran(job, attempt.age(System.nanoTime()));
      at.activeJobs().remove(attempt);
    }
  }

  private void end(
      ServedQueue served, Attempt attempt, HandlerDefinition handler, ClaimedJobs jobs) {
    ClaimedJob job = attempt.job();
    long start = System.nanoTime();
    // If only another database that the handler uses is unavailable, the retries of the job apply.
    // An outage that has ended may have broken a connection that the handler uses only now.
    Outcome outcome =
        HandlerInvoker.run(
            attempt,
            handler,
            thrown ->
                TransientErrors.isOutage(thrown)
                    && (at.node().outage().lasts() || at.databaseUnavailable(start)));
    served.attempted(job, outcome);
    if (at.transactions().rollBackLeftOpen() && outcome instanceof Outcome.Completed) {
      outcome =
          HandlerInvoker.failed(
              job,
              handler,
              new ReadpastException(
                  "the handler returned without ending the transaction that it had begun; the"
                      + " transaction was rolled back"),
              false);
    }
    if (outcome instanceof Outcome.Completed completed) {
      if (attempt.toEnqueue().isEmpty()) {
        jobs.ended(EndedJob.succeeded(job, completed.result()));
        at.counters().completed(job);
        return;
      }
      outcome =
          new Outcome.CompletedAndEnqueued(
              completed.result(),
              List.copyOf(attempt.toEnqueue()),
              refused -> HandlerInvoker.failed(job, handler, refused, false));
    }
    at.recorder().record(jobs, job, outcome);
  }
}
