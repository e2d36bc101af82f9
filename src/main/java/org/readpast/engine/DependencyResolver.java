package org.readpast.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.store.DependencyStore;
import org.readpast.store.Enqueues;
import org.readpast.store.HoldStore;
import org.readpast.store.JobEndStore;
import org.readpast.store.Transactions;
import org.readpast.store.WaveStore;

/**
 * Releases jobs that wait for other jobs: for predecessors, for their wave, or for their group.
 *
 * <p>A transaction that adds or ends a job only inserts rows that record this. After the commit of
 * an event, one node at a time reads the events in short transactions, and re-evaluates everything
 * that they affect. Two jobs that end at the same time therefore cannot miss each other, and a
 * caller's transaction, which may take long, changes no counts or shared rows. If a node dies, its
 * unfinished work is still recorded, and another node finishes the work.
 */
final class DependencyResolver {
  private static final System.Logger LOG = System.getLogger(DependencyResolver.class.getName());

  private final Transactions transactions;
  private final NodeState node;
  private final DependencyStore store;
  private final WaveStore waveStore;
  private final HoldStore holdStore;
  private final JobEndStore jobEnds;
  private final Enqueues enqueues;
  private final Threads threads;
  private final WakeUps wakeUps;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicBoolean checkAll = new AtomicBoolean();
  private final Waves.OpenedWaves open;

  DependencyResolver(
      Transactions transactions,
      NodeState node,
      JobEndStore jobEnds,
      Enqueues enqueues,
      Threads threads,
      WakeUps wakeUps) {
    this.transactions = transactions;
    this.node = node;
    this.store = new DependencyStore(transactions);
    this.waveStore = new WaveStore(transactions);
    this.holdStore = new HoldStore(transactions);
    this.jobEnds = jobEnds;
    this.enqueues = enqueues;
    this.threads = threads;
    this.wakeUps = wakeUps;
    this.open = new Waves.OpenedWaves(node, this::wake);
  }

  /**
   * Resolves dependencies on a separate thread, because a transaction was committed. One run of the
   * resolver covers many commits.
   */
  void wake() {
    if (requests.getAndIncrement() == 0 && !threads.tryStart(this::run)) {
      // No thread is available for the resolver; the listener of this or another node finds the
      // rows later.
      requests.set(0);
    }
  }

  private void run() {
    int seen;
    do {
      seen = requests.get();
      try {
        resolve(checkAll.getAndSet(false));
      } catch (RuntimeException | Error e) {
        node.outage()
            .warn(
                LOG,
                "READPAST-0030 jobs that wait for predecessors, a wave or their group could"
                    + " not be released; any node tries this again after the next change,"
                    + " or within seconds",
                e);
      }
    } while (!requests.compareAndSet(seen, 0));
  }

  /**
   * Resolves the dependencies that other nodes have left, and checks all predecessors that may have
   * ended unnoticed.
   */
  void resolveAll() {
    checkAll.set(true);
    wake();
  }

  /** Forgets which waves were opened, because their jobs may be waiting again. */
  void startOver() {
    open.forget();
    resolveAll();
  }

  /**
   * @param all true to check all predecessors that may have ended unnoticed, false to check only
   *     new ones
   */
  private void resolve(boolean all) {
    ResolverRound round = null;
    do {
      boolean owesCheck = round != null && round.owesCheck();
      ResolverRound next =
          new ResolverRound(
              store, waveStore, holdStore, jobEnds, enqueues, wakeUps, open, all, owesCheck);
      transactions.requiresNewUnbounded(
          () -> {
            next.clear();
            next.run(store.lock());
            return true;
          });
      next.announce();
      round = next;
    } while (round.more());
  }
}
