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
import org.readpast.database.Combiner;
import org.readpast.database.Transactions;
import org.readpast.store.ClaimedJob;
import org.readpast.store.EndedJob;
import org.readpast.store.JobEndStore;
import org.readpast.store.JobEndStore.Continued;

/**
 * Records in the database that LEASED jobs have ended. While one statement runs, the ends that
 * other threads submit are collected for the next statement.
 */
final class Acknowledgements {
  private static final Logger LOG = System.getLogger(Acknowledgements.class.getName());
  // A thread that submits twenty ends at a time need not wait for other threads.
  private static final int ENOUGH = 20;

  private final Transactions transactions;
  private final JobEndStore jobEnds;
  private final NodeState node;
  private final AttemptFactory attempts;
  private final Consumer<Collection<Long>> acknowledged;
  private final Combiner<ClaimedJobs> combiner = new Combiner<>(Duration.ZERO, this::flushAll);

  Acknowledgements(
      Transactions transactions,
      JobEndStore jobEnds,
      NodeState node,
      AttemptFactory attempts,
      Consumer<Collection<Long>> acknowledged) {
    this.transactions = transactions;
    this.jobEnds = jobEnds;
    this.node = node;
    this.attempts = attempts;
    this.acknowledged = acknowledged;
  }

  /**
   * Acknowledges the ended jobs of a claim, and returns once the database has recorded them. Jobs
   * that cannot be acknowledged are kept with the claim.
   */
  void flush(ClaimedJobs jobs) {
    int pending = jobs.pending();
    if (pending == 0 || pending >= ENOUGH) {
      flushNow(jobs);
      return;
    }
    combiner.submit(jobs);
    Throwable failure = jobs.lastFailure();
    if (failure != null) {
      throw new IllegalStateException("the completion of jobs could not be recorded", failure);
    }
  }

  /**
   * Acknowledges the ended jobs of a claim separately from other claims, so that a failure affects
   * no other claim.
   */
  void flushNow(ClaimedJobs jobs) {
    flushAll(List.of(jobs));
  }

  /**
   * Acknowledges the ended jobs of a claim separately from other claims, and leases the next jobs
   * of their groups in the same statement. Leases nothing if another job of the lease has not
   * ended.
   *
   * @param allowed the maximum time for which each leased job may run
   * @param most the maximum number of jobs per group
   * @param bytes the maximum total size of payloads and properties
   */
  List<ClaimedJob> flushAndLeaseNext(ClaimedJobs jobs, Duration allowed, int most, long bytes) {
    return flush(
        List.of(jobs),
        (ended, owned) -> {
          Long emptyLease = jobs.leaseEnding();
          if (emptyLease == null) {
            // Another job of the lease has not ended, and it may come before the next job of a
            // group.
            jobEnds.endAll(ended, node.no(), false, owned);
            return List.of();
          }
          Continued continued =
              transactions.autoCommit(
                  () ->
                      jobEnds.endLeasedAndLeaseNext(
                          ended, node.no(), allowed, emptyLease, most, bytes));
          owned.addAll(continued.owned());
          return continued.next();
        });
  }

  private void flushAll(List<ClaimedJobs> claims) {
    long now = System.nanoTime();
    boolean quiet = claims.stream().allMatch(jobs -> jobs.deferResolverWakeUp(now));
    flush(
        claims,
        (ended, owned) -> {
          jobEnds.endAll(ended, node.no(), quiet, owned);
          return List.of();
        });
  }

  /**
   * Ends jobs, and adds the ids of those that this node still owned to a set, even if a later
   * statement fails.
   */
  @FunctionalInterface
  private interface Statement {
    List<ClaimedJob> end(List<EndedJob> ended, Set<Long> owned);
  }

  private List<ClaimedJob> flush(List<ClaimedJobs> claims, Statement statement) {
    List<EndedJob> ended = new ArrayList<>();
    claims.forEach(jobs -> ended.addAll(jobs.take()));
    Set<Long> owned = new HashSet<>();
    Throwable failure = null;
    try {
      if (ended.isEmpty()) {
        return List.of();
      }
      attempts.storeOutputBeforeEnd(ended.stream().map(EndedJob::job).toList());
      List<ClaimedJob> next = statement.end(ended, owned);
      lost(EndedJob.without(ended, owned));
      return next;
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      for (ClaimedJobs jobs : claims) {
        jobs.acknowledged(owned, failure);
      }
      acknowledged.accept(owned);
    }
  }

  static void lost(List<EndedJob> ended) {
    if (!ended.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0013 the completion of jobs {0} is ignored: another node has taken these"
              + " jobs over, or their completion was already recorded",
          ended.stream().map(end -> end.job().id()).toList());
    }
  }
}
