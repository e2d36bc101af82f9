package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes.Lease;

/** Everything that this node has in its hands, for the heartbeat and the watch. */
final class InWork {
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<Batch> batches = ConcurrentHashMap.newKeySet();
  private final Set<ClaimedJob> pulled = ConcurrentHashMap.newKeySet();
  private final Queue<Long> through = new ConcurrentLinkedQueue<>();

  void add(Attempt attempt) {
    attempts.add(attempt);
  }

  void remove(Attempt attempt) {
    attempts.remove(attempt);
  }

  void add(Batch batch) {
    batches.add(batch);
  }

  void remove(Batch batch) {
    if (batches.remove(batch) && batch.through()) {
      through.add(batch.lease());
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

  Collection<Batch> batches() {
    return batches;
  }

  /**
   * Jobs that applications have received, in transactions that are still open. Whole, as one may
   * have been received again before its first place is given back.
   */
  Set<ClaimedJob> pulled() {
    return pulled;
  }

  /** Whether a receiver is at this lease now, or about to be. */
  boolean works(Lease lease) {
    return attempts.stream()
            .anyMatch(
                a ->
                    a.job().id() == lease.id()
                        && a.job().claimNo() == lease.claimNo()
                        && !a.abandoned())
        || batches.stream().anyMatch(b -> !b.left() && b.holds(lease.id(), lease.claimNo()));
  }

  /** Whether a lease that the database knows is known here too. */
  boolean holds(long id, int claimNo) {
    return attempts.stream()
            .anyMatch(a -> a.job().id() == id && a.job().claimNo() == claimNo && a.job().leased())
        || batches.stream().anyMatch(b -> b.holds(id, claimNo));
  }
}
