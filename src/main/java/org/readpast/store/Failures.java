package org.readpast.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;
import org.readpast.sql.FailureSql;

/** Stores failed attempts, in the current transaction. */
public final class Failures {
  private final Transactions transactions;

  public Failures(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Stores why a node could not read a job's payload. Each node has only one row per job,
   * regardless of how often it tries.
   */
  public void recordUnreadable(ClaimedJob job, int node, Failure failure) {
    Sql.change(
        transactions.entityManager(),
        FailureSql.recordUnreadable(),
        job.id(),
        job.attempt(),
        node,
        Sql.utc(job.startedAt()),
        failure.exception(),
        unread(job, failure.message()),
        unread(job, failure.trace()));
  }

  /** Stores a failed attempt. */
  public void record(
      long job, int attempt, @Nullable Integer node, @Nullable Instant startedAt, Failure failure) {
    Sql.change(
        transactions.entityManager(),
        FailureSql.record(),
        job,
        attempt,
        node,
        startedAt == null ? null : Sql.utc(startedAt),
        failure.kind().name(),
        failure.exception(),
        sealed(job, failure.message()),
        sealed(job, failure.trace()));
  }

  /**
   * Returns true if the last failed attempts of a job all threw an exception of the given class.
   *
   * @param most the number of attempts
   */
  public boolean lastAreAll(long job, String exception, int most) {
    Long found =
        Sql.first(
            transactions.entityManager(),
            FailureSql.countAmongLast(),
            row -> row.number(0),
            job,
            most,
            exception);
    return found != null && found == most;
  }

  /**
   * Returns the text to store. If the payload could not be decrypted, the text is not encrypted, so
   * that applications with other keys can read which key is missing.
   */
  private @Nullable String unread(ClaimedJob job, @Nullable String text) {
    return job.encrypted() == null ? sealed(job.id(), text) : text;
  }

  private @Nullable String sealed(long job, @Nullable String text) {
    return transactions.encryption().sealText(EncryptionContext.failure(job), text);
  }
}
