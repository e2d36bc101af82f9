package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Endings;
import org.readpast.store.Failures;
import org.readpast.store.Failures.Standing;
import org.readpast.store.Transactions;

/**
 * Records attempts that did not end well, after the work was rolled back. Until that is done this
 * node leaves the job alone; so a failure is counted before the next attempt starts here.
 */
final class Recorder {
  private static final Logger LOG = System.getLogger(Recorder.class.getName());

  private final Transactions transactions;
  private final Endings endings;
  private final Failures failures;
  private final NodeState node;
  private final Counters counters;
  private final Afterwards afterwards;
  private final Reports reports;
  private static final Runnable ANNOUNCED = () -> {};

  private final Map<Long, Runnable> unrecorded = new ConcurrentHashMap<>();

  /** Hears what has become of jobs, once that is committed. */
  interface Afterwards {
    void retried(ClaimedJob job, Duration pause);

    void ended(Collection<Long> jobs);
  }

  Recorder(
      Transactions transactions,
      Endings endings,
      NodeState node,
      Counters counters,
      Afterwards afterwards,
      Reports reports) {
    this.transactions = transactions;
    this.endings = endings;
    this.failures = new Failures(transactions);
    this.node = node;
    this.counters = counters;
    this.afterwards = afterwards;
    this.reports = reports;
  }

  /** Jobs that this node must not take now. */
  Set<Long> unrecorded() {
    return unrecorded.keySet();
  }

  /** Whether jobs of this queue are still RUNNING for the others although they have failed here. */
  boolean holdsLeasesOf(String queue) {
    return unrecorded.values().stream()
        .anyMatch(u -> u instanceof Pending p && p.job.leased() && p.job.queue().equals(queue));
  }

  /** Announces a failure before the rollback frees its job for others. */
  void announce(ClaimedJob job) {
    unrecorded.putIfAbsent(job.id(), ANNOUNCED);
  }

  /** The job may be taken here again, unless something else is to be recorded of it. */
  void withdraw(ClaimedJob job) {
    unrecorded.remove(job.id(), ANNOUNCED);
  }

  /** Records now, or as soon as it can be done; whether it has been. */
  boolean record(ClaimedJob job, Outcome outcome) {
    return record(new Pending(job, outcome, node.no(), false));
  }

  /**
   * The same for a job taken in a transaction of which nobody knows whether it was committed: if
   * the job is gone, it was.
   */
  void recordUnlessGone(ClaimedJob job, Outcome outcome) {
    record(new Pending(job, outcome, node.no(), true));
  }

  private boolean record(Pending pending) {
    // The first try is the caller's, who counts on it.
    pending.lock.lock();
    try {
      unrecorded.put(pending.job.id(), pending);
      pending.run();
      return pending.recorded;
    } finally {
      pending.lock.unlock();
    }
  }

  /** Tries again what could not be recorded. */
  void catchUp() {
    unrecorded.values().forEach(Runnable::run);
  }

  /** One failed attempt: recorded once, whoever comes to do it, the receiver or the heartbeat. */
  private final class Pending implements Runnable {
    private final ClaimedJob job;
    private final Outcome outcome;
    private final int owner;
    private final boolean unlessGone;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean recorded;

    Pending(ClaimedJob job, Outcome outcome, int owner, boolean unlessGone) {
      this.job = job;
      this.outcome = outcome;
      this.owner = owner;
      this.unlessGone = unlessGone;
    }

    /** Nobody waits for another who is at it: the heartbeat must go on. */
    @Override
    public void run() {
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
      Stored stored;
      try {
        stored = transactions.fresh(() -> store(job, outcome, owner, unlessGone));
      } catch (RuntimeException e) {
        Trouble.warn(
            LOG,
            "READPAST-0011 the failed attempt of job "
                + job.id()
                + " could not be recorded yet; it is tried again",
            e);
        return;
      }
      if (stored == Stored.NOT_YET) {
        return;
      }
      recorded = true;
      unrecorded.remove(job.id(), this);
      if (stored == Stored.NEVER) {
        return;
      }
      if (outcome instanceof Outcome.Retry retry) {
        counters.of(job.queue()).retried.increment();
        sayRetried(retry);
        afterwards.retried(job, retry.pause());
      } else {
        if (outcome instanceof Outcome.Discarded discarded) {
          counters.of(job.queue()).dead.increment();
          sayDiscarded(job.id(), job.type(), job.queue(), job.attempt(), discarded.failure());
        }
        afterwards.ended(List.of(job.id()));
      }
    }

    /** Who has asked to be tried later has not failed. */
    private void sayRetried(Outcome.Retry retry) {
      LOG.log(
          retry.failure().kind() == Kind.RETRY_LATER ? Level.DEBUG : Level.INFO,
          "READPAST-0078 attempt {0} of job {1} ({2} in queue {3}) has failed and is tried again in"
              + " {4}: {5}",
          job.attempt(),
          Long.toString(job.id()),
          job.type(),
          job.queue(),
          retry.pause(),
          retry.failure().line());
    }
  }

  /** Where somebody looks who has no console: its whole story is with the job. */
  static void sayDiscarded(long id, String type, String queue, int attempt, Failure failure) {
    LOG.log(
        Level.WARNING,
        "READPAST-0079 job {0} ({1} in queue {2}) is DISCARDED after attempt {3}: {4}",
        Long.toString(id),
        type,
        queue,
        attempt,
        failure.line());
  }

  /** What has become of an outcome that was to be stored. */
  private enum Stored {
    YES,
    /** Somebody has the job. */
    NOT_YET,
    /** There is nothing to be recorded. */
    NEVER
  }

  private Stored store(ClaimedJob job, Outcome outcome, int owner, boolean unlessGone) {
    if (!job.leased()) {
      Standing standing = failures.standing(job);
      if (standing == Standing.IN_USE) {
        return Stored.NOT_YET;
      }
      if (standing == Standing.GONE && unlessGone) {
        return Stored.NEVER;
      }
      if (standing != Standing.UNCHANGED) {
        // Somebody else has worked it since: the attempt is kept and counted, its outcome is theirs
        // to say.
        // Unless it is known already, from a try whose commit was not heard of.
        if (!failures.knows(job, owner)) {
          failure(outcome, job, owner);
          failures.countAttempt(job, !(outcome instanceof Outcome.Retry retry) || retry.counted());
        }
        return Stored.YES;
      }
    }
    if (apply(job, outcome, owner)) {
      failure(outcome, job, owner);
      if (outcome instanceof Outcome.Discarded discarded) {
        reports.discarded(job, discarded.failure());
      }
    } else {
      LOG.log(
          Level.INFO,
          "READPAST-0012 job {0} was lost to another node; the outcome of attempt {1} here is void",
          Long.toString(job.id()),
          job.attempt());
    }
    return Stored.YES;
  }

  /** Whether the job was still this node's. */
  private boolean apply(ClaimedJob job, Outcome outcome, int owner) {
    if (outcome instanceof Outcome.Retry retry) {
      return endings.retry(job, retry.pause(), retry.counted());
    }
    JobState state = outcome instanceof Outcome.Cancelled ? JobState.CANCELLED : JobState.DISCARDED;
    return endings.end(job, state, failure(outcome), owner);
  }

  private void failure(Outcome outcome, ClaimedJob job, int owner) {
    Failure failure = failure(outcome);
    if (failure != null) {
      failures.record(job.id(), job.attempt(), owner, job.startedAt(), failure);
    }
  }

  private static @Nullable Failure failure(Outcome outcome) {
    return outcome instanceof Outcome.Retry retry
        ? retry.failure()
        : outcome instanceof Outcome.Discarded discarded
            ? discarded.failure()
            : outcome instanceof Outcome.Cancelled cancelled ? cancelled.failure() : null;
  }
}
