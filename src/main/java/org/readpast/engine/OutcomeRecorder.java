package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;
import org.readpast.store.Failures;
import org.readpast.store.JobEndStore;
import org.readpast.store.ReleaseStore;

/**
 * Records attempts that did not succeed, in both receive modes: in a short transaction after the
 * handler's transaction was rolled back, under the fence of the lease. Records LEASED attempts that
 * succeeded in the same way if their handlers have enqueued other jobs.
 */
final class OutcomeRecorder {
  private static final Logger LOG = System.getLogger(OutcomeRecorder.class.getName());
  // A job whose own statements break its connection must end at some point: after this number of
  // consecutive infrastructure faults, further ones count as failures of the job.
  private static final int MAX_FAULTS = 3;

  private final Transactions transactions;
  private final JobEndStore jobEnds;
  private final ReleaseStore releases;
  private final Enqueuer enqueuer;
  private final Failures failures;
  private final NodeState node;
  private final AttemptFactory attempts;
  private final Counters counters;
  private final Afterwards afterwards;
  private final LossReports reports;
  private final UnreadableJobs unreadable;
  private final Map<Long, Pending> unrecorded = new ConcurrentHashMap<>();
  private final ReentrantLock catchingUp = new ReentrantLock();

  /** Receives the results of jobs, after the commit. */
  interface Afterwards {
    void retried(ClaimedJob job, Duration pause);

    void jobsEnded(Collection<Long> jobs);

    /** Reports a job that this node no longer owns. */
    void lost(ClaimedJob job);
  }

  OutcomeRecorder(
      Transactions transactions,
      JobEndStore jobEnds,
      ReleaseStore releases,
      Enqueuer enqueuer,
      NodeState node,
      AttemptFactory attempts,
      Counters counters,
      Afterwards afterwards,
      LossReports reports) {
    this.transactions = transactions;
    this.jobEnds = jobEnds;
    this.releases = releases;
    this.enqueuer = enqueuer;
    this.failures = new Failures(transactions);
    this.node = node;
    this.attempts = attempts;
    this.counters = counters;
    this.afterwards = afterwards;
    this.reports = reports;
    this.unreadable = new UnreadableJobs(transactions, releases, failures);
  }

  /** Returns the jobs whose outcomes could not be recorded yet. This node still holds them. */
  Set<Long> unrecorded() {
    return unrecorded.keySet();
  }

  /**
   * Reports a job that this node no longer owns. A crash of the database may have lost the lease of
   * a job that ends in a transaction; the job is then available below the marks of all nodes.
   */
  void lost(ClaimedJob job) {
    afterwards.lost(job);
  }

  /** Records the outcome of a current job of a claim, unless the claim no longer owns the job. */
  void record(ClaimedJobs jobs, ClaimedJob job, Outcome outcome) {
    Outcome recorded = outcome instanceof Outcome.NotOurs ? outcome : record(job, outcome);
    if (recorded == null || recorded instanceof Outcome.NotOurs) {
      jobs.leaveOpen(job);
    } else if (recorded instanceof Outcome.CompletedAndEnqueued) {
      jobs.succeeded(job);
    } else {
      jobs.recorded(job);
    }
  }

  /**
   * Records an outcome immediately, or as soon as possible. Returns the recorded outcome, or null
   * if none has been recorded yet.
   */
  @Nullable Outcome record(ClaimedJob job, Outcome outcome) {
    Pending pending = new Pending(job, outcome, node.no());
    // The caller tries first, on its own thread, because it needs the result.
    pending.lock.lock();
    try {
      unrecorded.put(pending.job.id(), pending);
      pending.run();
      return pending.recorded ? pending.outcome : null;
    } finally {
      pending.lock.unlock();
    }
  }

  /** Records the outcomes that could not be recorded before, unless another thread does so. */
  void catchUp() {
    if (catchingUp.tryLock()) {
      try {
        unrecorded.values().forEach(Pending::run);
      } finally {
        catchingUp.unlock();
      }
    }
  }

  /** Represents one attempt, whose outcome is recorded by the receiver or after a heartbeat. */
  private final class Pending {
    private final ClaimedJob job;
    private final int owner;
    private Outcome outcome;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean recorded;
    private UnreadableJobs.@Nullable Postponed postponed;

    Pending(ClaimedJob job, Outcome outcome, int owner) {
      this.job = job;
      this.outcome = outcome;
      this.owner = owner;
    }

    /** Records the outcome, unless another thread does so. */
    void run() {
      if (lock.tryLock()) {
        try {
          tryOnce();
        } finally {
          lock.unlock();
        }
      }
    }

    private void tryOnce() {
      if (recorded) {
        return;
      }
      boolean owned;
      try {
        attempts.storeOutputBeforeEnd(List.of(job));
        if (outcome instanceof Outcome.Fault fault) {
          // The database is asked when the outcome is recorded, because it may be unavailable
          // before.
          outcome = faultsRepeat() ? fault.counted() : fault.uncounted();
        }
        owned =
            outcome instanceof Outcome.Unreadable read
                ? postpone(read.failure())
                : transactions.requiresNew(() -> store(job, outcome, owner));
      } catch (RuntimeException e) {
        if (outcome instanceof Outcome.CompletedAndEnqueued end
            && !TransientErrors.isTransient(e)
            && !TransientErrors.isOutage(e)) {
          // The database refused to enqueue a job. The database would also refuse a retry, for
          // example because the batch is sealed.
          outcome = end.refused().apply(e);
          tryOnce();
          return;
        }
        node.outage()
            .warn(
                LOG,
                "READPAST-0011 the outcome of job "
                    + job.id()
                    + " could not be recorded; this node tries again at each heartbeat,"
                    + " and the job stays leased until then",
                e);
        return;
      }
      recorded = true;
      unrecorded.remove(job.id(), this);
      if (!owned) {
        // One reason is a broken connection: the commit had succeeded, but its response was lost.
        if (outcome instanceof Outcome.CompletedAndEnqueued) {
          Acknowledgements.lost(List.of(EndedJob.of(job, JobState.COMPLETED)));
          outcome = new Outcome.NotOurs();
        } else {
          LOG.log(
              quiet(outcome) ? Level.DEBUG : Level.WARNING,
              "READPAST-0012 the failure of attempt {1} of job {0} is ignored: the job was taken"
                  + " over, has ended, or the failure was recorded before",
              Long.toString(job.id()),
              Integer.toString(job.attempt()));
        }
        lost(job);
        return;
      }
      if (failed(outcome)) {
        counters.failed(job);
      }
      if (postponed != null) {
        unreadable.log(job, postponed);
        afterwards.retried(job, postponed.pause());
      } else if (outcome instanceof Outcome.Retry retry) {
        counters.retried(job);
        logRetried(retry);
        afterwards.retried(job, retry.pause());
      } else {
        if (outcome instanceof Outcome.Discarded discarded) {
          counters.discarded(job.queue(), job.type());
          logDiscarded(job.id(), job.type(), job.queue(), job.attempt(), discarded.failure());
        } else if (outcome instanceof Outcome.CompletedAndEnqueued) {
          counters.completed(job);
        }
        afterwards.jobsEnded(List.of(job.id()));
      }
    }

    /** Returns true if the last attempts of the job ended with infrastructure faults. */
    private boolean faultsRepeat() {
      String fault = InfrastructureFaultException.class.getName();
      return job.uncounted() >= MAX_FAULTS
          && transactions.autoCommit(() -> failures.lastAreAll(job.id(), fault, MAX_FAULTS));
    }

    private boolean postpone(Failure failure) {
      postponed =
          transactions
              .requiresNew(() -> Optional.ofNullable(unreadable.postpone(job, failure, owner)))
              .orElse(null);
      return postponed != null;
    }

    /** Logs that a job is retried. A handler that requests a later attempt has not failed. */
    private void logRetried(Outcome.Retry retry) {
      LOG.log(
          retry.failure().kind() == Kind.RETRY_LATER ? Level.DEBUG : Level.INFO,
          "READPAST-0078 attempt {0} of job {1} ({2} in queue {3}) failed; the job is retried"
              + " in {4}: {5}",
          Integer.toString(job.attempt()),
          Long.toString(job.id()),
          job.type(),
          job.queue(),
          retry.pause(),
          retry.failure().line());
    }
  }

  /**
   * Returns true if an attempt failed. An attempt that does not count, because the node or the
   * database ended it, has not failed. Neither has a handler that requests a later attempt.
   */
  private static boolean failed(Outcome outcome) {
    return outcome instanceof Outcome.Discarded
        || (outcome instanceof Outcome.Retry retry
            && retry.counted()
            && retry.failure().kind() != Kind.RETRY_LATER);
  }

  private static boolean quiet(Outcome outcome) {
    return outcome instanceof Outcome.Unreadable
        || (outcome instanceof Outcome.Retry retry && !retry.counted());
  }

  /** Logs a dead letter with its stack trace, for administrators without a console. */
  static void logDiscarded(long id, String type, String queue, int attempt, Failure failure) {
    LOG.log(
        Level.WARNING,
        "READPAST-0079 job {0} ({1} in queue {2}) is DISCARDED after attempt {3}: {4}",
        Long.toString(id),
        type,
        queue,
        Integer.toString(attempt),
        failure.lineAndTrace());
  }

  /** Stores an outcome; returns true if this node still owned the job. */
  private boolean store(ClaimedJob job, Outcome outcome, int owner) {
    if (!apply(job, outcome, owner)) {
      return false;
    }
    Failure failure = failure(outcome);
    if (failure != null) {
      failures.record(job.id(), job.attempt(), owner, job.startedAt(), failure);
    }
    if (outcome instanceof Outcome.Discarded discarded) {
      reports.discarded(job, discarded.failure());
    }
    return true;
  }

  private boolean apply(ClaimedJob job, Outcome outcome, int owner) {
    if (outcome instanceof Outcome.Retry retry) {
      return releases.retry(job, retry.pause(), retry.counted(), keepsPosition(retry));
    }
    if (outcome instanceof Outcome.CompletedAndEnqueued end) {
      EndedJob ended = EndedJob.succeeded(job.withoutNext(), end.result());
      boolean owned = jobEnds.endInTransaction(List.of(ended), owner).isEmpty();
      if (owned) {
        enqueuer.enqueue(end.toEnqueue());
      }
      return owned;
    }
    JobState state = outcome instanceof Outcome.Cancelled ? JobState.CANCELLED : JobState.DISCARDED;
    return jobEnds.end(job, state, failure(outcome), owner);
  }

  /**
   * Returns true if a job keeps its position, because the node or the database ended its attempt. A
   * handler that requests an immediate retry lets the waiting jobs run first.
   */
  private static boolean keepsPosition(Outcome.Retry retry) {
    return retry.pause().isZero() && !retry.counted() && retry.failure().kind() != Kind.RETRY_LATER;
  }

  private static @Nullable Failure failure(Outcome outcome) {
    return outcome instanceof Outcome.Retry retry
        ? retry.failure()
        : outcome instanceof Outcome.Discarded discarded
            ? discarded.failure()
            : outcome instanceof Outcome.Cancelled cancelled ? cancelled.failure() : null;
  }
}
