package org.readpast.engine;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.store.Nodes.Lease;

/** Everything that this node has in its hands, for the heartbeat and the watch. */
final class InWork {
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Set<Batch> batches = ConcurrentHashMap.newKeySet();
  private final Set<Long> pulled = ConcurrentHashMap.newKeySet();

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
    batches.remove(batch);
  }

  Collection<Attempt> attempts() {
    return attempts;
  }

  Collection<Batch> batches() {
    return batches;
  }

  /** Jobs that applications have received, in transactions that are still open. */
  Set<Long> pulled() {
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
