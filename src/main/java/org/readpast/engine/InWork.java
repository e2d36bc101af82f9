package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes.Begun;

/** Everything that this node holds, for the heartbeat and the watch. */
final class InWork {
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<LeasedJobs> leased = ConcurrentHashMap.newKeySet();
  private final Set<ClaimedJob> pulled = ConcurrentHashMap.newKeySet();
  private final Queue<Long> through = new ConcurrentLinkedQueue<>();
  private final PayloadBudget budget;

  InWork(PayloadBudget budget) {
    this.budget = budget;
  }

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  void remove(Attempt attempt) {
    attempts.remove(attempt);
  }

  void add(LeasedJobs jobs) {
    leased.add(jobs);
  }

  /**
   * Removes the jobs of a claim, and notes its lease for removal if the database needs it no more.
   */
  void remove(LeasedJobs jobs) {
    if (leased.remove(jobs)) {
      budget.release(jobs.bytes());
      if (jobs.through()) {
        through.add(jobs.lease());
      }
    }
  }

  /** The leases since the last time of which this node holds no job any more, for sure. */
  List<Long> takeThrough() {
    List<Long> all = new ArrayList<>();
    for (Long next = through.poll(); next != null; next = through.poll()) {
      all.add(next);
    }
    return all;
  }

  Collection<Attempt> attempts() {
    return attempts;
  }

  Collection<LeasedJobs> leased() {
    return leased;
  }

  /**
   * Jobs that applications have received, in transactions that are still open. As wholes, because
   * one may have been received again before its first place is given back.
   */
  Set<ClaimedJob> pulled() {
    return pulled;
  }

  /** Jobs whose handlers have started, or that applications have received. */
  List<Begun> begun() {
    return Stream.concat(attempts.stream().map(Attempt::job), pulled.stream())
        .map(job -> new Begun(job.lease(), job.id()))
        .toList();
  }

  /** Returns true if a lease that the database knows is known here too. */
  boolean holds(long id, int claimNo) {
    return Stream.concat(attempts.stream().map(Attempt::job), pulled.stream())
            .anyMatch(job -> job.id() == id && job.claimNo() == claimNo)
        || leased.stream().anyMatch(jobs -> jobs.holds(id, claimNo));
  }
}
