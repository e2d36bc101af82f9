package org.readpast.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.model.RetryPolicy;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.ReleaseStore.Release;

/**
 * Runs the jobs of a claim one after the other, each in the receive mode of its type. This class
 * ensures that each job of the claim has ended, is recorded as failed, or is released.
 */
final class JobWorker {
  private static final long LONGEST_PENDING_NANOS = 10_000_000L;
  // Other suspects may run before this job.
  private static final Duration SUSPECT_PAUSE = Duration.ofSeconds(5);

  private final EngineContext at;
  private final Node node;
  private final LeasedWork leased;
  private final TransactionalWork transactional;

  JobWorker(EngineContext at) {
    this.at = at;
    this.node = at.node().node();
    this.leased = new LeasedWork(at);
    this.transactional = new TransactionalWork(at);
  }

  /**
   * Returns true if other nodes may have taken over the jobs of this worker. The engine may have
   * registered as another node since, with the same number if the database was restored.
   */
  boolean leaseLost() {
    return at.node().leaseExpired() || !at.node().node().equals(node);
  }

  /**
   * Runs jobs until all have started, or until the receiver has to stop. Returns the jobs to run
   * next, or null if there are none.
   *
   * @param next the source from which more jobs are claimed when the given jobs have run
   */
  @Nullable ClaimedJobs work(ServedQueue served, ClaimedJobs jobs, ClaimSource next)
      throws InterruptedException {
    at.activeJobs().add(jobs);
    try {
      for (ClaimedJob job = next(jobs); job != null; job = next(jobs)) {
        jobs.releaseUnneededSlots();
        work(served, jobs, job);
        if (jobs.pendingLongerThan(LONGEST_PENDING_NANOS, System.nanoTime())) {
          at.acknowledgements().flush(jobs);
        }
        if (served.slots().tooManyReceivers()
            || leaseLost()
            || at.node().stopping()
            || served.cursors().skips(job.type())) {
          break;
        }
      }
      if (jobs.hasJobsAfterPendingEnds()) {
        at.acknowledgements().flush(jobs);
      }
      release(jobs);
      return next.claim(() -> {});
    } finally {
      // The watchdog handles jobs that could not be acknowledged or released.
      jobs.leave();
      if (jobs.finished()) {
        at.activeJobs().remove(jobs);
      }
      jobs.waveJobsFinished();
      jobs.releaseSlots(true);
    }
  }

  private @Nullable ClaimedJob next(ClaimedJobs jobs) {
    ClaimedJob job = jobs.next();
    while (job == null && jobs.hasJobsAfterPendingEnds()) {
      // If the watchdog is acknowledging the same jobs, this call waits until it has finished.
      at.acknowledgements().flush(jobs);
      job = jobs.next();
    }
    return job;
  }

  private void work(ServedQueue served, ClaimedJobs jobs, ClaimedJob first)
      throws InterruptedException {
    CrashIsolation.Admission admission = null;
    boolean decided = false;
    try {
      admission = at.isolation().enter(isSuspect(first));
      if (admission == null) {
        at.transactions().requiresNew(() -> at.releases().postpone(first, SUSPECT_PAUSE));
        jobs.recorded(first);
        decided = true;
      } else if (!leaseLost()) {
        decided = true;
        workInMode(served, jobs, first, admission);
      }
    } finally {
      if (!decided) {
        // The job did not start, so the receiver or the watchdog releases it.
        jobs.putBack(List.of(first));
      }
      if (admission != null) {
        admission.end();
      }
    }
  }

  private void workInMode(
      ServedQueue served, ClaimedJobs jobs, ClaimedJob first, CrashIsolation.Admission admission) {
    long start = System.nanoTime();
    HandlerDefinition handler = at.handlers().get(first.type());
    List<ClaimedJob> run = List.of(first);
    if (at.handlers().isTransactional(first)) {
      run = jobsOfTransaction(jobs, first, handler);
      transactional.work(served, jobs, run, admission);
    } else {
      leased.work(served, jobs, first, handler, admission);
    }
    at.speeds().ran(first.type(), System.nanoTime() - start, run.size());
  }

  /** Returns the jobs that share the next transaction. */
  private static List<ClaimedJob> jobsOfTransaction(
      ClaimedJobs jobs, ClaimedJob first, HandlerDefinition handler) {
    List<ClaimedJob> jobsOfTransaction = new ArrayList<>(List.of(first));
    while (jobsOfTransaction.size() < handler.jobsPerTransaction()) {
      ClaimedJob next = jobs.nextAlike(first);
      if (next == null) {
        break;
      }
      jobsOfTransaction.add(next);
    }
    return jobsOfTransaction;
  }

  private boolean isSuspect(ClaimedJob job) {
    RetryPolicy policy = at.handlers().get(job.type()).retries();
    return job.suspect(Verdict.mostAttempts(job.maxAttempts(), policy));
  }

  /** Releases the jobs that have not started, and returns the queues of these jobs. */
  Set<String> release(ClaimedJobs jobs) {
    List<ClaimedJob> waiting = jobs.takeWaiting();
    if (!waiting.isEmpty()) {
      List<Release> releases = waiting.stream().map(jobs::releaseOf).toList();
      boolean done = false;
      try {
        Set<Long> released = at.transactions().requiresNew(() -> at.releases().release(releases));
        done = true;
        waiting.stream().filter(job -> !released.contains(job.id())).forEach(at.recorder()::lost);
      } finally {
        jobs.released(waiting, done);
      }
      jobs.releaseUnneededSlots();
    }
    return waiting.stream().map(ClaimedJob::queue).collect(Collectors.toSet());
  }
}
