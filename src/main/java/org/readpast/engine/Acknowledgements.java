package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
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

  private static final Continued NOTHING = new Continued(Set.of(), List.of());

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
        ended -> {
          Long through = batch.leaseEnding();
          // Else there may be one in work that comes before the next.
          return through == null
              ? plainly(ended)
              : transactions.single(
                  () -> endings.endLeasedAndLeaseNext(ended, node.no(), allowed, through, most));
        });
  }

  private Continued plainly(List<Ended> ended) {
    return new Continued(transactions.bare(() -> endings.endLeased(ended, node.no())), List.of());
  }

  private void tell(List<Batch> batches) {
    tell(batches, this::plainly);
  }

  private List<ClaimedJob> tell(List<Batch> batches, Function<List<Ended>, Continued> way) {
    List<Ended> ended = new ArrayList<>();
    batches.forEach(batch -> ended.addAll(batch.take()));
    Continued continued = NOTHING;
    Throwable failure = null;
    try {
      continued = ended.isEmpty() ? NOTHING : tellAll(ended, way);
      return continued.next();
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      for (Batch batch : batches) {
        batch.told(continued.owned(), failure);
      }
    }
  }

  private Continued tellAll(List<Ended> ended, Function<List<Ended>, Continued> way) {
    Continued continued = way.apply(ended);
    Set<Long> owned = continued.owned();
    told.accept(owned);
    if (owned.size() < ended.size()) {
      lost(ended.stream().map(Ended::job).filter(job -> !owned.contains(job.id())).toList());
    }
    return continued;
  }

  static void lost(List<ClaimedJob> jobs) {
    LOG.log(
        Level.WARNING,
        "READPAST-0013 jobs {0} had been taken over, or their end had been told, before it was told now; that is"
            + " void",
        jobs.stream().map(ClaimedJob::id).toList());
  }
}
