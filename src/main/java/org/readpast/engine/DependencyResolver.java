package org.readpast.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.store.DependencyStore;
import org.readpast.store.Endings;
import org.readpast.store.Enqueues;
import org.readpast.store.Holding;
import org.readpast.store.Transactions;
import org.readpast.store.WaveStore;

/**
 * Lets jobs go on that wait for others: after their predecessors, in their wave, in turn within
 * their group.
 *
 * <p>Whoever adds or ends a job only inserts rows that say so; here, after the commit, one node at
 * a time reads them in short transactions, and looks at everything anew that they touch. So two
 * that end at the same moment cannot miss each other, and no count or shared row is changed in a
 * transaction whose length a caller decides. What a node leaves undone when it dies is still
 * written, and any other does it.
 */
final class DependencyResolver {
  private static final System.Logger LOG = System.getLogger(DependencyResolver.class.getName());

  private final Transactions transactions;
  private final NodeState node;
  private final DependencyStore store;
  private final WaveStore waveStore;
  private final Holding holding;
  private final Endings endings;
  private final Enqueues enqueues;
  private final Threads threads;
  private final WakeUps wakeUps;
  private final AtomicInteger wanted = new AtomicInteger();
  private final AtomicBoolean lookAtAll = new AtomicBoolean();
  private final Waves.Open open;

  DependencyResolver(
      Transactions transactions,
      NodeState node,
      Endings endings,
      Enqueues enqueues,
      Threads threads,
      WakeUps wakeUps) {
    this.transactions = transactions;
    this.node = node;
    this.store = new DependencyStore(transactions);
    this.waveStore = new WaveStore(transactions);
    this.holding = new Holding(transactions);
    this.endings = endings;
    this.enqueues = enqueues;
    this.threads = threads;
    this.wakeUps = wakeUps;
    this.open = new Waves.Open(node, this::wake);
  }

  /** Something has been committed: settles it on a thread of its own, many such at a time. */
  void wake() {
    if (wanted.getAndIncrement() == 0 && !threads.tryStart(this::run)) {
      // The listener of some node comes by.
      wanted.set(0);
    }
  }

  private void run() {
    int seen;
    do {
      seen = wanted.get();
      try {
        settle(lookAtAll.getAndSet(false));
      } catch (RuntimeException | Error e) {
        node.outage()
            .warn(LOG, "READPAST-0030 could not settle who waits for whom; it is tried again", e);
      }
    } while (!wanted.compareAndSet(seen, 0));
  }

  /** Has settled what others have left undone, and what nobody could settle at first sight. */
  void lookAround() {
    lookAtAll.set(true);
    wake();
  }

  /** Forgets which waves it has opened: their jobs may wait again. */
  void startOver() {
    open.forget();
    lookAround();
  }

  /** all: looks at all predecessors that may have ended unnoticed; else only at new ones. */
  private void settle(boolean all) {
    ResolverRound round = null;
    do {
      boolean owesLook = round != null && round.owesLook();
      ResolverRound next =
          new ResolverRound(
              store, waveStore, holding, endings, enqueues, wakeUps, open, all, owesLook);
      transactions.requiresNewUnbounded(
          () -> {
            next.clear();
            next.settle(store.lock());
            return true;
          });
      next.tell();
      round = next;
    } while (round.more());
  }
}
