package org.readpast.dependency;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.enqueue.Enqueues;
import org.readpast.store.JobEndStore;

/**
 * Releases jobs that wait for other jobs: for predecessors, for their wave, or for their group.
 *
 * <p>A transaction that adds or ends a job only inserts rows that record this. After the commit of
 * an event, one node at a time reads the events in short transactions, and re-evaluates everything
 * that they affect. Two jobs that end at the same time therefore cannot miss each other, and a
 * caller's transaction, which may last long, changes no counts or shared rows. If a node dies, its
 * unfinished work is still recorded, and another node finishes the work.
 */
public final class DependencyResolver {
  private static final System.Logger LOG = System.getLogger(DependencyResolver.class.getName());

  private final Transactions transactions;
  private final Outage outage;
  private final DependencyStore store;
  private final WaveStore waveStore;
  private final HoldStore holdStore;
  private final JobEndStore jobEnds;
  private final Enqueues enqueues;
  private final Predicate<Runnable> startsThread;
  private final ReceiverSignals signals;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicBoolean checkAll = new AtomicBoolean();
  private final Waves.OpenedWaves open;

  /**
   * @param node returns the number of this node
   * @param startsThread starts a task on another thread, or returns false
   */
  public DependencyResolver(
      Transactions transactions,
      Outage outage,
      IntSupplier node,
      JobEndStore jobEnds,
      Enqueues enqueues,
      Predicate<Runnable> startsThread,
      ReceiverSignals signals) {
    this.transactions = transactions;
    this.outage = outage;
    this.store = new DependencyStore(transactions);
    this.waveStore = new WaveStore(transactions);
    this.holdStore = new HoldStore(transactions);
    this.jobEnds = jobEnds;
    this.enqueues = enqueues;
    this.startsThread = startsThread;
    this.signals = signals;
    this.open = new Waves.OpenedWaves(node, this::wake);
  }

  /**
   * Resolves dependencies on a separate thread, because a transaction was committed. One run of the
   * resolver covers many commits.
   */
  public void wake() {
    if (requests.getAndIncrement() == 0 && !startsThread.test(this::run)) {
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
        outage.warn(
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
  public void resolveAll() {
    checkAll.set(true);
    wake();
  }

  /** Forgets which waves were opened, because their jobs may be waiting again. */
  public void startOver() {
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
              store, waveStore, holdStore, jobEnds, enqueues, signals, open, all, owesCheck);
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
