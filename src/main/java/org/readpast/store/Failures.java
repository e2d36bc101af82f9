package org.readpast.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Failure;
import org.readpast.sql.FailureSql;

/** Keeps what is known of attempts that did not end well, in the current transaction. */
public final class Failures {
  private final Transactions transactions;

  public Failures(Transactions transactions) {
    this.transactions = transactions;
  }

  /** How a job stands after the transaction that had taken it was rolled back. */
  public enum Standing {
    /** As it was; its row is now locked by the current transaction. */
    UNCHANGED,
    /**
     * Somebody holds its row, or works it: until that is over it keeps the number of its attempt.
     */
    IN_USE,
    /** Somebody has changed it since; its row is now locked by the current transaction. */
    CHANGED,
    /** It has ended. */
    GONE
  }

  /** Looks how a job stands, and locks it if possible. */
  public Standing standing(ClaimedJob job) {
    Standing standing =
        Sql.first(
            transactions.entityManager(),
            FailureSql.lockRow(),
            row ->
                row.flag(1)
                    ? Standing.IN_USE
                    : row.integer(0) == job.claimNo() ? Standing.UNCHANGED : Standing.CHANGED,
            job.id());
    if (standing != null) {
      return standing;
    }
    boolean live =
        Sql.first(transactions.entityManager(), FailureSql.live(), row -> true, job.id()) != null;
    return live ? Standing.IN_USE : Standing.GONE;
  }

  /** Counts an attempt of a job that somebody else has worked meanwhile. */
  public void countAttempt(ClaimedJob job, boolean counted) {
    Sql.change(transactions.entityManager(), FailureSql.countAttempt(), job.id(), counted ? 0 : 1);
  }

  /** Whether a failure of this very attempt is kept. */
  public boolean knows(ClaimedJob job, int node) {
    return Sql.first(
            transactions.entityManager(),
            FailureSql.failure(),
            row -> true,
            job.id(),
            job.attempt(),
            node,
            Endings.utc(job.startedAt()))
        != null;
  }

  /** Keeps what is known of a failed attempt. */
  public void record(
      long job, int attempt, @Nullable Integer node, @Nullable Instant startedAt, Failure failure) {
    Sql.change(
        transactions.entityManager(),
        FailureSql.record(),
        job,
        attempt,
        node,
        startedAt == null ? null : Endings.utc(startedAt),
        failure.kind().name(),
        failure.exception(),
        failure.message(),
        failure.trace());
  }
}
