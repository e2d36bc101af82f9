package org.readpast.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;
import org.readpast.model.StoredType;
import org.readpast.sql.CancelSql;
import org.readpast.sql.MaintenanceSql;

/** Maintenance in small ordered batches, which any number of nodes may carry out at once. */
public final class MaintenanceStore {
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
      boolean first,
      @Nullable String group,
      @Nullable Long batch,
      @Nullable String properties) {
    /** What watchers are notified of. */
    JobEnd discarded(Failure failure) {
      return new JobEnd(
          id,
          queue,
          StoredType.nameOf(type),
          JobState.DISCARDED,
          attempt,
          uniqueKey,
          correlationId,
          enqueuedBy,
          failure.text(),
          group,
          batch,
          properties);
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

  /** Asks at once for all that maintenance may find; grace: see {@link #lost}. */
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
                row.flag(15),
                row.textOrNull(16),
                row.numberOrNull(17),
                transactions
                    .encryption()
                    .shownJson(
                        EncryptionContext.properties(row.number(0), row.text(10)),
                        row.textOrNull(18))),
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
