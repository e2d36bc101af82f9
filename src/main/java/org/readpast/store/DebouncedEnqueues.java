package org.readpast.store;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.readpast.api.Enqueued;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;
import org.readpast.sql.EnqueueSql;

/** Enqueues jobs that replace or postpone waiting ones, in the current transaction. */
final class DebouncedEnqueues {
  private final Transactions transactions;
  private final Consumer<List<Claims.Released>> restored;

  DebouncedEnqueues(Transactions transactions, Consumer<List<Claims.Released>> restored) {
    this.transactions = transactions;
    this.restored = restored;
  }

  /**
   * Inserts a job, or changes the waiting one of its queue and type that holds its unique key.
   *
   * @return the job, or the one that holds the key and is not changed
   */
  Enqueued insertOrUpdate(NewJob job, Debounce debounce) {
    while (true) {
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
              Enqueues.millis(debounce.latest()));
      if (row != null) {
        restoredAfterwards(job, row);
        return row.flag(1) ? Enqueued.of(row.number(0), true) : Enqueued.updated(row.number(0));
      }
      Row holder =
          Sql.first(
              transactions.entityManager(),
              EnqueueSql.holderOfKey(),
              Function.identity(),
              job.uniqueKey(),
              job.queue(),
              job.type());
      // One that has been enqueued or has ended meanwhile is for the next round.
      if (holder != null && !holder.flag(1)) {
        return Enqueued.of(holder.number(0), false);
      }
    }
  }

  /** Until this transaction ends, claims skip an AVAILABLE job, and may not return to its place. */
  private void restoredAfterwards(NewJob job, Row updated) {
    if (updated.flag(1) || updated.isNull(3)) {
      return;
    }
    Claims.Released before =
        new Claims.Released(job.queue(), job.type(), updated.integer(2), updated.number(3));
    boolean stays = !updated.isNull(4) && updated.number(4) == before.position();
    transactions.afterCompletion(
        committed -> {
          if (stays || !committed) {
            restored.accept(List.of(before));
          }
        });
  }
}
