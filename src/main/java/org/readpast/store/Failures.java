package org.readpast.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
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
   * Stores why a node could not read a job's payload. One row for each node, however often it
   * tries.
   */
  public void recordUnreadable(ClaimedJob job, int node, Failure failure) {
    Sql.change(
        transactions.entityManager(),
        FailureSql.recordUnreadable(),
        job.id(),
        job.attempt(),
        node,
        Endings.utc(job.startedAt()),
        failure.exception(),
        sealed(job.id(), failure.message()),
        sealed(job.id(), failure.trace()));
  }

  /** Stores what is known of a failed attempt. */
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
        sealed(job, failure.message()),
        sealed(job, failure.trace()));
  }

  private @Nullable String sealed(long job, @Nullable String text) {
    return transactions.encryption().sealText(EncryptionContext.failure(job), text);
  }
}
