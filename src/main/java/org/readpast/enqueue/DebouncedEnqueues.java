package org.readpast.enqueue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.readpast.api.Enqueued;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;
import org.readpast.store.Claims;

/** Enqueues jobs that replace or postpone waiting jobs, in the current transaction. */
final class DebouncedEnqueues {
  private final Transactions transactions;
  private final WaitingChanges changes;

  DebouncedEnqueues(Transactions transactions, WaitingChanges changes) {
    this.transactions = transactions;
    this.changes = changes;
  }

  /**
   * Inserts a job, or changes the waiting job of the same queue and type that has its unique key.
   *
   * @return the inserted or changed job; if another live job has the key, that job, unchanged
   */
  Enqueued insertOrUpdate(NewJob clear, Debounce debounce) {
    while (true) {
      String key = transactions.encryption().currentKey();
      Long id = key == null ? null : lockedOrNextId(clear);
      NewJob job = clear.sealed(transactions.encryption(), id == null ? 0 : id, key);
      Row row =
          Sql.first(
              transactions.entityManager(),
              EnqueueSql.insertOrUpdate(),
              Function.identity(),
              job.queue(),
              job.type(),
              job.priority(),
              Enqueues.millis(job.delay()),
              Enqueues.utc(job.at()),
              Enqueues.millis(job.expiresIn()),
              Enqueues.utc(job.expiresAt()),
              job.uniqueKey(),
              job.correlationId(),
              job.properties(),
              job.maxAttempts(),
              job.payload(),
              job.contentType(),
              job.enqueuedBy().name(),
              job.enqueuedBy().roleLines(),
              debounce.replace(),
              Enqueues.millis(debounce.latest()),
              id);
      if (row != null) {
        if (row.flag(1)) {
          return Enqueued.of(row.number(0), true);
        }
        announceAfterwards(job, row);
        return Enqueued.updated(row.number(0));
      }
      Row holder =
          Sql.first(
              transactions.entityManager(),
              EnqueueSql.holderOfKey(),
              Function.identity(),
              job.uniqueKey(),
              job.queue(),
              job.type());
      // If the job with the unique key waits now or has ended in the meantime, the next iteration
      // handles it.
      if (holder != null && !holder.flag(1)) {
        return Enqueued.of(holder.number(0), false);
      }
    }
  }

  /**
   * Locks the waiting job that is to be changed and returns its id, or allocates an id for a new
   * job. Encrypted values are bound to the id of their job.
   */
  private long lockedOrNextId(NewJob job) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            EnqueueSql.lockedOrNextId(),
            row -> row.number(0),
            job.uniqueKey(),
            job.queue(),
            job.type()));
  }

  /**
   * Announces the changed job after the transaction. Until the transaction ends, claims skip a job
   * that is AVAILABLE, and might not return to its position afterwards. A job that was SCHEDULED
   * and stays SCHEDULED needs no announcement: it is not due earlier than before, and the nodes
   * know that time.
   */
  private void announceAfterwards(NewJob job, Row updated) {
    Claims.ReopenedLane before =
        updated.isNull(3)
            ? null
            : new Claims.ReopenedLane(
                job.queue(), job.type(), updated.integer(2), updated.number(3));
    int priority = updated.integer(4);
    Long position = updated.numberOrNull(5);
    Duration dueIn = Duration.ofMillis(updated.number(6));
    transactions.afterCompletion(
        committed -> {
          if (before != null && (!committed || position != null && position == before.position())) {
            changes.restored(List.of(before));
          } else if (committed && position != null) {
            changes.madeAvailable(job.queue(), job.type(), priority);
          } else if (committed && before != null) {
            changes.dueIn(dueIn);
          }
        });
  }
}
