package org.readpast.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.api.StateConflictException;
import org.readpast.engine.ServedQueue.FoundTypes;
import org.readpast.model.Failure;
import org.readpast.model.Failure.Kind;
import org.readpast.model.Outcome;
import org.readpast.model.RetryPolicy;
import org.readpast.model.StoredType;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;
import org.readpast.store.Nodes;
import org.readpast.store.Nodes.QueueRow;
import org.readpast.store.ReleaseStore.Release;

/**
 * Receives jobs for callers, in their own transactions. A job is leased in a short transaction, and
 * ended in the caller's transaction under the fence of the lease, so that the job has ended as soon
 * as the caller's transaction commits. A rollback counts as a failed attempt, except during an
 * outage of the database.
 */
public final class SynchronousReceive {
  private static final long UNKNOWN_QUEUE_MILLIS = 100;
  private static final long TYPES_NANOS = 500_000_000L;
  private static final long CONTENDED_MILLIS = 2;
  private static final int MOST_CONTENDED = 50;
  // The caller determines how long its transaction lasts, so the lease ends early only if the node
  // dies.
  private static final Duration ALLOWED = Duration.ofDays(1);

  private final EngineContext at;
  private final Dispatcher dispatcher;
  private final Threads threads;
  private final Nodes nodes;

  SynchronousReceive(EngineContext at, Dispatcher dispatcher, Threads threads, Nodes nodes) {
    this.at = at;
    this.dispatcher = dispatcher;
    this.threads = threads;
    this.nodes = nodes;
  }

  /** Represents a job that a caller has received in its transaction. */
  public final class Received {
    private final ClaimedJob job;
    private final @Nullable Object transaction;
    private final long since = System.nanoTime();
    private volatile @Nullable JobResult decided;
    private volatile @Nullable Failure unreadable;
    private volatile boolean transactionEnded;

    private Received(ClaimedJob job) {
      this.job = job;
      this.transaction = at.transactions().transactionKey();
    }

    /** Returns the job. */
    public ClaimedJob job() {
      return job;
    }

    /**
     * Specifies that the job does not end as COMPLETED. The transaction is rolled back, and the
     * result then determines the state of the job.
     *
     * @throws StateConflictException if the transaction is not the current one, or if the end of
     *     the job has already been decided
     */
    public void decide(JobResult result) {
      if (transactionEnded || !Objects.equals(transaction, at.transactions().transactionKey())) {
        throw new StateConflictException(
            "the transaction that received job "
                + job.id()
                + (transactionEnded ? " has ended" : " is not the current one")
                + "; decide the outcome of the job within the transaction that received it");
      }
      if (decided != null) {
        throw new StateConflictException(
            "the outcome of job " + job.id() + " was already decided; decide it only once");
      }
      decided = result;
      at.transactions().setRollbackOnly();
    }

    /**
     * Records that the application could not read the payload. The record has an effect only if the
     * transaction is rolled back.
     */
    public void unreadable(UnreadablePayloadException why) {
      unreadable = Failure.of(Kind.UNREADABLE, why);
    }

    private Outcome outcome(RetryPolicy policy) {
      Failure misread = unreadable;
      JobResult result = decided;
      if (result != null) {
        return HandlerInvoker.decided(job, policy, result);
      }
      if (misread != null) {
        return new Outcome.Unreadable(misread);
      }
      return at.databaseUnavailable(since)
          ? HandlerInvoker.rolledBackInOutage(job, policy)
          : HandlerInvoker.rolledBack(job, policy);
    }
  }

  /**
   * Receives a job, and waits for one if there is none.
   *
   * @param only the types to receive; all types if empty
   * @return the job, or null if none became available in time
   * @throws ReadpastException if there is no transaction, or if the transaction could never see
   *     jobs that become available later
   */
  public @Nullable Received receive(String queue, Duration timeout, List<String> only) {
    if (!at.transactions().committable()) {
      throw new ReadpastException(
          "a job is received in the caller's transaction, but there is no transaction, or it is"
              + " marked for rollback; begin one first");
    }
    long start = System.nanoTime();
    long allowed = timeout.compareTo(Duration.ofDays(1)) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
    boolean checked = false;
    if (dispatcher.served(queue) == null) {
      loadQueue(queue);
    }
    try {
      while (true) {
        ServedQueue served = dispatcher.served(queue);
        long seen = served == null ? 0 : served.slots().signals();
        Received job =
            served == null || at.node().stopping() || at.node().leaseExpired()
                ? null
                : tryReceive(served, only);
        if (job != null) {
          return job;
        }
        long remaining = TimeUnit.NANOSECONDS.toMillis(allowed - (System.nanoTime() - start));
        if (remaining <= 0 || at.node().shuttingDown()) {
          return null;
        }
        if (!checked) {
          checkIsolation();
          checked = true;
        }
        pause(served, seen, remaining);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Loads a queue, because its first job may be available before the listener knows the queue. */
  private void loadQueue(String queue) {
    List<QueueRow> found = at.transactions().autoCommit(nodes::settings).queues();
    dispatcher.setQueues(found.stream().filter(row -> row.name().equals(queue)).toList());
  }

  private void checkIsolation() {
    if (!at.transactions().required(at.claims()::seesCommits)) {
      throw new ReadpastException(
          "in a transaction with an isolation level above READ COMMITTED, receive must be the first"
              + " statement and cannot wait, because the transaction sees nothing that is"
              + " committed later; lower the level");
    }
  }

  private void pause(@Nullable ServedQueue served, long seen, long remaining)
      throws InterruptedException {
    if (served == null) {
      Thread.sleep(Math.min(remaining, UNKNOWN_QUEUE_MILLIS));
    } else {
      served.slots().await(seen, Math.min(remaining, at.settings().pollInterval().toMillis()));
    }
  }

  private @Nullable Received tryReceive(ServedQueue served, List<String> only)
      throws InterruptedException {
    if (!served.slots().enterReceive()) {
      return null;
    }
    Received job = null;
    try {
      job = receive(served, only);
      return job;
    } finally {
      if (job == null) {
        served.slots().leaveReceive();
      }
    }
  }

  private @Nullable Received receive(ServedQueue served, List<String> only)
      throws InterruptedException {
    LaneClaims claims = new LaneClaims(at, served);
    boolean fullScan = false;
    int contended = 0;
    while (true) {
      List<String> wanted = only.isEmpty() ? types(served, fullScan) : versions(served, only);
      ClaimCursors cursors = served.cursors(wanted);
      ClaimedJob job = lease(claims, cursors, fullScan);
      if (job != null && job.expired()) {
        at.budget().release(job.bytes());
        at.jobEnds()
            .endAll(
                List.of(EndedJob.of(job, JobState.EXPIRED)),
                at.node().no(),
                false,
                new HashSet<>());
      } else if (job != null) {
        Received received = new Received(job);
        if (ended(served, received)) {
          return received;
        }
        checkIsolation();
      } else if (claims.contended() && contended++ < MOST_CONTENDED) {
        // Another receiver holds the lock of the limit while it counts, which takes no longer than
        // a claim.
        Thread.sleep(CONTENDED_MILLIS);
      } else if (claims.limitReached() || (fullScan && cursors.fullyScanned())) {
        at.counters().of(served.queue()).emptyReceives.increment();
        return null;
      } else {
        // A quick scan covers only the lanes where jobs were found last, so jobs may exist in other
        // lanes.
        fullScan = true;
      }
    }
  }

  /**
   * Returns the stored forms of the given types for all versions of which there are jobs. The
   * method executes one statement per queue every half second, because only the database knows
   * which versions there are.
   */
  private List<String> versions(ServedQueue served, List<String> only) {
    Set<String> all = new TreeSet<>(only);
    types(served, false).stream()
        .filter(type -> only.contains(StoredType.nameOf(type)))
        .forEach(all::add);
    return List.copyOf(all);
  }

  private List<String> types(ServedQueue served, boolean reload) {
    FoundTypes known = served.foundTypes();
    if (known == null || reload || System.nanoTime() - known.found() > TYPES_NANOS) {
      known =
          new FoundTypes(
              at.transactions().autoCommit(() -> at.claims().typesWithWork(served.queue())),
              System.nanoTime());
      served.foundTypes(known);
    }
    return known.names();
  }

  private @Nullable ClaimedJob lease(LaneClaims claims, ClaimCursors cursors, boolean fullScan) {
    long now = System.nanoTime();
    ClaimPlan plan = fullScan ? cursors.planFullScan(now) : cursors.next(now);
    // Another node may run the type as LEASED, and the lease of such a job must not be lost.
    List<ClaimedJob> jobs = claims.lease(cursors, plan, 1, ALLOWED, Set.of());
    return jobs.isEmpty() ? null : jobs.get(0);
  }

  /** Ends a job in the caller's transaction; returns false if it was taken over in the meantime. */
  private boolean ended(ServedQueue served, Received received) {
    ClaimedJob job = received.job();
    at.activeJobs().received().put(job, 0);
    boolean ended = false;
    try {
      ended = at.transactions().required(() -> end(served, received));
      return ended;
    } finally {
      if (!ended) {
        at.activeJobs().received().remove(job);
        at.budget().release(job.bytes());
        // The caller's transaction may have locked the job. The heartbeat then releases the job.
        at.transactions()
            .requiresNew(() -> at.releases().releaseUnlocked(List.of(Release.unstarted(job))));
      }
    }
  }

  private boolean end(ServedQueue served, Received received) {
    ClaimedJob job = received.job();
    at.activeJobs().received().put(job, at.sessions().current());
    if (!at.attempts().recordStart(job, Verdict.mostAttempts(job.maxAttempts(), policy(job)))
        || !at.jobEnds()
            .endInTransaction(List.of(EndedJob.succeeded(job, null)), at.node().no())
            .isEmpty()) {
      return false;
    }
    at.counters().of(served.queue()).received.increment();
    at.transactions().afterCompletion(committed -> transactionEnded(served, received, committed));
    return true;
  }

  /**
   * Handles the end of the caller's transaction. The calling thread may still be ending that
   * transaction, so another thread handles a rollback.
   */
  private void transactionEnded(ServedQueue served, Received received, boolean committed) {
    ClaimedJob job = received.job();
    received.transactionEnded = true;
    at.budget().release(job.bytes());
    if (committed) {
      at.counters().completed(job);
      releaseSlot(served, job);
      at.jobsEnded().accept(List.of(job.id()));
      return;
    }
    if (!threads.tryStart(() -> rolledBack(served, received))) {
      // If this node no longer holds the jobs of a lease, the heartbeat releases the lease.
      releaseSlot(served, job);
    }
  }

  private void releaseSlot(ServedQueue served, ClaimedJob job) {
    if (at.activeJobs().received().remove(job) != null) {
      served.slots().leaveReceive();
    }
    served.signal();
    dispatcher.wake(served);
  }

  private void rolledBack(ServedQueue served, Received received) {
    ClaimedJob job = received.job();
    try {
      at.recorder().record(job, received.outcome(policy(job)));
    } finally {
      releaseSlot(served, job);
    }
  }

  private RetryPolicy policy(ClaimedJob job) {
    return at.handlers().knows(job.type())
        ? at.handlers().get(job.type()).retries()
        : RetryPolicy.DEFAULT;
  }
}
