package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Ended;
import org.readpast.store.Endings;
import org.readpast.store.Endings.Continued;
import org.readpast.store.Transactions;

/**
 * Tells the database which leased jobs have ended. What ends on other threads while one statement
 * is on its way goes into the next, all together.
 */
final class Acknowledgements {
  private static final Logger LOG = System.getLogger(Acknowledgements.class.getName());
  // As many of one thread gain nothing by waiting for others.
  private static final int ENOUGH = 20;

  private final Transactions transactions;
  private final Endings endings;
  private final NodeState node;
  private final Consumer<Collection<Long>> told;
  private final Together<Batch> together = new Together<>(Duration.ZERO, this::tell);

  Acknowledgements(
      Transactions transactions, Endings endings, NodeState node, Consumer<Collection<Long>> told) {
    this.transactions = transactions;
    this.endings = endings;
    this.node = node;
    this.told = told;
  }

  /** Returns when the database knows. When it cannot be told they stay with the batch. */
  void tell(Batch batch) {
    int untold = batch.untold();
    if (untold == 0 || untold >= ENOUGH) {
      tellAlone(batch);
      return;
    }
    together.hand(batch);
    Throwable failure = batch.lastFailure();
    if (failure != null) {
      throw new IllegalStateException("the ends of jobs could not be told", failure);
    }
  }

  /** The same, without others: what hinders it hinders nobody else. */
  void tellAlone(Batch batch) {
    tell(List.of(batch));
  }

  /**
   * The same, without others; gives what is leased by the same statement, as it is next in a group:
   * nothing where something else is left of the lease.
   *
   * @param allowed how long each of those may take
   * @param most how many of a group
   */
  List<ClaimedJob> tellAndGoOn(Batch batch, Duration allowed, int most) {
    return tell(
        List.of(batch),
        (ended, owned) -> {
          Long through = batch.leaseEnding();
          if (through == null) {
            // There may be one in work that comes before the next.
            plainly(ended, owned, false);
            return List.of();
          }
          Continued continued =
              transactions.single(
                  () -> endings.endLeasedAndLeaseNext(ended, node.no(), allowed, through, most));
          owned.addAll(continued.owned());
          return continued.next();
        });
  }

  /**
   * Tells by statements of which each commits by itself: mostly it is one.
   *
   * @param quiet as {@link Endings#endLeased} has it
   */
  private void plainly(List<Ended> ended, Set<Long> owned, boolean quiet) {
    if (ended.stream().anyMatch(Ended::plain)) {
      owned.addAll(transactions.single(() -> endings.completeAlike(ended, node.no(), quiet)));
    }
    List<Ended> others = Ended.without(ended, owned);
    if (!others.isEmpty()) {
      owned.addAll(transactions.single(() -> endings.endLeased(others, node.no(), quiet)));
    }
  }

  private void tell(List<Batch> batches) {
    long now = System.nanoTime();
    boolean quiet = batches.stream().allMatch(batch -> batch.keepQuiet(now));
    tell(
        batches,
        (ended, owned) -> {
          plainly(ended, owned, quiet);
          return List.of();
        });
  }

  /** Adds the ids of those that were still this node's to a set, also where it fails after that. */
  @FunctionalInterface
  private interface Telling {
    List<ClaimedJob> tell(List<Ended> ended, Set<Long> owned);
  }

  private List<ClaimedJob> tell(List<Batch> batches, Telling telling) {
    List<Ended> ended = new ArrayList<>();
    batches.forEach(batch -> ended.addAll(batch.take()));
    Set<Long> owned = new HashSet<>();
    Throwable failure = null;
    try {
      if (ended.isEmpty()) {
        return List.of();
      }
      List<ClaimedJob> next = telling.tell(ended, owned);
      lost(Ended.without(ended, owned).stream().map(Ended::job).toList());
      return next;
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      for (Batch batch : batches) {
        batch.told(owned, failure);
      }
      told.accept(owned);
    }
  }

  static void lost(List<ClaimedJob> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    LOG.log(
        Level.WARNING,
        "READPAST-0013 jobs {0} had been taken over, or their end had been told, before it was told now; that is"
            + " void",
        jobs.stream().map(ClaimedJob::id).toList());
  }
}
