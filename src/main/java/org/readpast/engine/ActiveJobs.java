package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes.StartedJob;

/**
 * Tracks the attempts, claims and received jobs that this node holds, for the heartbeat and the
 * watchdog.
 */
final class ActiveJobs {
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<ClaimedJobs> claims = ConcurrentHashMap.newKeySet();
  private final Map<ClaimedJob, Integer> received = new ConcurrentHashMap<>();
  private final Queue<Long> emptyLeases = new ConcurrentLinkedQueue<>();
  private final PayloadBudget budget;

  ActiveJobs(PayloadBudget budget) {
    this.budget = budget;
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  void remove(Attempt attempt) {
    attempts.remove(attempt);
  }

  void add(ClaimedJobs jobs) {
    claims.add(jobs);
  }

  /**
   * Removes the jobs of a claim. If the lease of the jobs has no other jobs in the database, marks
   * the lease for removal.
   */
  void remove(ClaimedJobs jobs) {
    if (claims.remove(jobs)) {
      budget.release(jobs.bytes());
      if (jobs.allClosed()) {
        emptyLeases.add(jobs.lease());
      }
    }
  }

  /** Returns the leases of which this node certainly holds no more jobs, and forgets them. */
  List<Long> takeEmptyLeases() {
    List<Long> all = new ArrayList<>();
    for (Long next = emptyLeases.poll(); next != null; next = emptyLeases.poll()) {
      all.add(next);
    }
    return all;
  }

  Collection<Attempt> attempts() {
    return attempts;
  }

  Collection<ClaimedJobs> claims() {
    return claims;
  }

  /**
   * Returns the jobs that applications have received in transactions that are still open, each with
   * the process id of the database session of its transaction, or 0 if that is not known yet. The
   * map compares whole records, because a job may be received again before its earlier entry is
   * removed.
   */
  Map<ClaimedJob, Integer> received() {
    return received;
  }

  /** Returns the jobs whose handlers have started, or that applications have received. */
  List<StartedJob> started() {
    return Stream.concat(attempts.stream().map(Attempt::job), received.keySet().stream())
        .map(job -> new StartedJob(job.lease(), job.id()))
        .toList();
  }

  /** Returns true if this node holds the job under this claim number. */
  boolean holds(long id, int claimNo) {
    return Stream.concat(attempts.stream().map(Attempt::job), received.keySet().stream())
            .anyMatch(job -> job.id() == id && job.claimNo() == claimNo)
        || claims.stream().anyMatch(jobs -> jobs.holds(id, claimNo));
  }
}
