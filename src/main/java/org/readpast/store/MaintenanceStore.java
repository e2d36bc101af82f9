package org.readpast.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.sql.CancelSql;
import org.readpast.sql.MaintenanceSql;
import org.readpast.sql.ScheduleSql;

/** Small ordered batches of housekeeping, which any number of nodes may do at once. */
public final class MaintenanceStore {
  private static final int RUNS_KEPT = 100;
  private static final int DEEPEST_NOTED = 10_000;

  private final Transactions transactions;

  public MaintenanceStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * A claim whose owner is lost, or late.
   *
   * @param maxAttempts -1: unlimited
   * @param crashes deaths charged to the job before; null: none
   * @param ownerState ACTIVE or STOPPING when only the job's own time has passed
   * @param begun whether its handler is known to have started
   * @param first whether it was the first of its lease, so that its handler started with the claim
   */
  public record Lost(
      long id,
      int claimNo,
      int attempt,
      int uncounted,
      int maxAttempts,
      @Nullable Integer crashes,
      int owner,
      @Nullable String ownerState,
      Instant claimedAt,
      String queue,
      String type,
      @Nullable String uniqueKey,
      @Nullable String correlationId,
      @Nullable String enqueuedBy,
      boolean begun,
      boolean first) {
    /** What is told of its end. */
    JobEvent discarded(Failure failure) {
      return new JobEvent(
          id,
          queue,
          type,
          JobState.DISCARDED,
          attempt,
          uniqueKey,
          correlationId,
          enqueuedBy,
          failure.text());
    }
  }

  /** A node just declared dead. */
  public record Dead(int no, String name) {}

  /** What there is to do. */
  public record ToDo(
      boolean silentNodes,
      boolean transactionsOfDead,
      boolean lost,
      boolean due,
      boolean expired,
      boolean cancellations) {}

  /** Asks at once for all that housekeeping may find; grace: see {@link #lost}. */
  public ToDo toDo(Duration grace) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            MaintenanceSql.toDo(),
            row ->
                new ToDo(
                    row.flag(0), row.flag(1), row.flag(2), row.flag(3), row.flag(4), row.flag(5)),
            grace.toMillis()));
  }

  /** Makes due jobs AVAILABLE; gives the queue of each. */
  public List<String> promote(int most) {
    return Sql.rows(
        transactions.entityManager(), MaintenanceSql.promote(), row -> row.text(0), most);
  }

  /** Time until the next job is due; null when none is scheduled. */
  public @Nullable Duration nextDue() {
    return Sql.first(
        transactions.entityManager(),
        MaintenanceSql.nextDue(),
        row -> Duration.ofMillis(row.number(0)));
  }

  /**
   * Jobs that expired before anybody started them; their rows are locked by the current
   * transaction.
   */
  public List<Long> expired(int most) {
    return Sql.rows(
        transactions.entityManager(), MaintenanceSql.expired(), row -> row.number(0), most);
  }

  /** Declares nodes dead, for good, if the node that asks has beaten steadily itself. */
  public List<Dead> declareDead(int node) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.declareDead(),
        row -> new Dead(row.integer(0), row.text(1)),
        node);
  }

  /** Terminates the sessions that dead nodes have left idle in transactions; gives how many. */
  public int terminateSessionsOfDead() {
    return Sql.rows(
            transactions.entityManager(), MaintenanceSql.terminateSessionsOfDead(), row -> true)
        .size();
  }

  /**
   * Claims whose owner is lost or which are overdue by more than the grace; locked by the current
   * transaction.
   */
  public List<Lost> lost(int most, Duration grace) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.lost(),
        row ->
            new Lost(
                row.number(0),
                row.integer(1),
                row.integer(2),
                row.integer(3),
                row.integer(4),
                row.integerOrNull(5),
                row.integer(6),
                row.textOrNull(7),
                row.moment(8),
                row.text(9),
                row.text(10),
                row.textOrNull(11),
                row.textOrNull(12),
                row.textOrNull(13),
                row.flag(14),
                row.flag(15)),
        grace.toMillis(),
        most);
  }

  /** Removes the leases of nodes that have ended, once nothing of them is left; gives how many. */
  public int removeLeases() {
    return Sql.change(transactions.entityManager(), MaintenanceSql.removeLeases());
  }

  /** Keeps count of what was taken over from a node. */
  public void countTakenOver(int node, int jobs) {
    Sql.change(transactions.entityManager(), MaintenanceSql.countTakenOver(), node, jobs);
  }

  /**
   * Removes jobs that ended in this state longer ago; gives how many.
   *
   * @param own queues with a time of their own
   */
  public int prune(JobState state, Duration kept, Map<String, Duration> own, int most) {
    return number(
        MaintenanceSql.prune(),
        state.name(),
        kept.toMillis(),
        own.keySet().toArray(String[]::new),
        own.values().stream().map(Duration::toMillis).toArray(Long[]::new),
        most);
  }

  /** Removes what is still known of completed jobs that were not to be kept; gives how many. */
  public int forgetAttempts(int most) {
    return number(MaintenanceSql.forget(), most);
  }

  private int number(String sql, Object... parameters) {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), sql, row -> row.integer(0), parameters));
  }

  /** Removes ended nodes, finished batches and answers to requests that are kept no longer. */
  public void pruneOperations(Duration kept) {
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneNodes(), kept.toMillis());
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneBatches(), kept.toMillis());
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneGroups());
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneIdempotency());
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneListeners());
    Sql.change(transactions.entityManager(), MaintenanceSql.pruneReleases());
  }

  /** Notes how deep queues are, once a minute over all nodes; gives how many are not empty. */
  public int noteDepths() {
    return Sql.change(transactions.entityManager(), MaintenanceSql.noteDepths(), DEEPEST_NOTED);
  }

  /** Removes queues that have not been used for so long and that nothing names; gives which. */
  public List<String> pruneQueues(Duration kept) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.pruneQueues(),
        row -> row.text(0),
        kept.toMillis());
  }

  /** Removes older entries of the audit; gives how many. */
  public int pruneAudit(Duration kept, int most) {
    return Sql.rows(
            transactions.entityManager(),
            MaintenanceSql.pruneAudit(),
            row -> true,
            kept.toMillis(),
            most)
        .size();
  }

  /** Removes old runs of schedules, but for the latest of each; gives how many. */
  public int pruneRuns(int most) {
    return Sql.rows(
            transactions.entityManager(), ScheduleSql.pruneRuns(), row -> true, RUNS_KEPT, most)
        .size();
  }

  /** Jobs to be cancelled that are in work no more. */
  public List<Long> ripeCancellations(int most) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.ripeCancellations(),
        row -> row.number(0),
        most);
  }

  /** Those of the jobs that are not in work, locked. */
  public List<Long> lockToCancel(List<Long> jobs) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.lockToCancel(),
        row -> row.number(0),
        (Object) jobs.toArray(Long[]::new));
  }

  /** Removes requests to cancel what has ended; gives how many. */
  public int forgetCarriedOut(Collection<Long> jobs) {
    return Sql.change(
        transactions.entityManager(),
        MaintenanceSql.forgetCarriedOut(),
        (Object) jobs.toArray(Long[]::new));
  }
}
