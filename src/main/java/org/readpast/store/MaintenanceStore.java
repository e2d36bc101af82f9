package org.readpast.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;
import org.readpast.model.StoredType;
import org.readpast.sql.MaintenanceSql;

/**
 * Runs maintenance in small ordered batches. Any number of nodes may run maintenance concurrently.
 */
public final class MaintenanceStore {
  private final Transactions transactions;

  public MaintenanceStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes a claim whose owner is lost, or that is overdue.
   *
   * @param maxAttempts the maximum number of attempts; -1 if it is unlimited
   * @param crashes the number of deaths with which the job is charged so far, or null for none
   * @param ownerState ACTIVE or STOPPING if the owner is live and the job is only overdue
   * @param started true if the handler of the job is known to have started
   * @param first true if the job was the first one of its lease, so that its handler counts as
   *     started since the claim
   */
  public record LostOrOverdueClaim(
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
      boolean started,
      boolean first,
      @Nullable String group,
      @Nullable Long batch,
      @Nullable String properties) {
    /** Returns the description of the end that observers receive. */
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

  /** Identifies a node that has just been declared dead. */
  public record Dead(int no, String name) {}

  /** Names the kinds of maintenance that are currently necessary. */
  public record ToDo(
      boolean silentNodes,
      boolean transactionsOfDead,
      boolean lost,
      boolean expired,
      boolean cancellations) {}

  /**
   * Checks with a single statement which kinds of maintenance are necessary. For {@code grace} see
   * {@link #lockLostOrOverdue}.
   */
  public ToDo toDo(Duration grace) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            MaintenanceSql.toDo(),
            row -> new ToDo(row.flag(0), row.flag(1), row.flag(2), row.flag(3), row.flag(4)),
            grace.toMillis()));
  }

  /** Makes due jobs AVAILABLE, and returns the queue of each. */
  public List<String> promote(int most) {
    return Sql.rows(
        transactions.entityManager(), MaintenanceSql.promote(), row -> row.text(0), most);
  }

  /** Returns the time until the next job is due, or null if no job is scheduled. */
  public @Nullable Duration nextDue() {
    return Sql.first(
        transactions.entityManager(),
        MaintenanceSql.nextDue(),
        row -> Duration.ofMillis(row.number(0)));
  }

  /**
   * Returns jobs that expired before they were started. The rows of the jobs are locked by the
   * current transaction.
   */
  public List<Long> expired(int most) {
    return Sql.rows(
        transactions.entityManager(), MaintenanceSql.expired(), row -> row.number(0), most);
  }

  /**
   * Declares silent nodes dead permanently, if the calling node has sent its own heartbeats
   * steadily for as long.
   */
  public List<Dead> declareDead(int node) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.declareDead(),
        row -> new Dead(row.integer(0), row.text(1)),
        node);
  }

  /** Makes all nodes search the lanes that have jobs from the start. */
  public int announceLanes() {
    return Sql.change(transactions.entityManager(), MaintenanceSql.announceLanes());
  }

  /**
   * Terminates the sessions in which dead nodes have left transactions open. Returns the number of
   * terminated sessions.
   */
  public int terminateSessionsOfDead() {
    return Sql.rows(
            transactions.entityManager(), MaintenanceSql.terminateSessionsOfDead(), row -> true)
        .size();
  }

  /**
   * Returns claims whose owner is lost, or which are overdue by more than the grace period. The
   * rows of the jobs are locked by the current transaction.
   */
  public List<LostOrOverdueClaim> lockLostOrOverdue(int most, Duration grace) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.lockLostOrOverdue(),
        row ->
            new LostOrOverdueClaim(
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

  /**
   * Deletes the leases of ended nodes that have no jobs left. Returns the number of deleted leases.
   */
  public int removeLeases() {
    return Sql.change(transactions.entityManager(), MaintenanceSql.removeLeases());
  }

  /** Adds to the count of jobs that were taken over from a node. */
  public void countTakenOver(int node, long jobs) {
    Sql.change(transactions.entityManager(), MaintenanceSql.countTakenOver(), node, jobs);
  }

  /** Returns jobs that are to be cancelled and are no longer running. */
  public List<Long> dueCancellations(int most) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.dueCancellations(),
        row -> row.number(0),
        most);
  }

  /** Locks and returns the jobs that are not running. */
  public List<Long> lockToCancel(List<Long> jobs) {
    return Sql.rows(
        transactions.entityManager(),
        MaintenanceSql.lockToCancel(),
        row -> row.number(0),
        (Object) jobs.toArray(Long[]::new));
  }

  /**
   * Deletes the cancellation requests of jobs that have ended. Returns the number of deleted
   * requests.
   */
  public int deleteCarriedOut(Collection<Long> jobs) {
    return Sql.change(
        transactions.entityManager(),
        MaintenanceSql.deleteCarriedOut(),
        (Object) jobs.toArray(Long[]::new));
  }
}
