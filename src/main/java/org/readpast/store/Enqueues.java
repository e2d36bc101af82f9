package org.readpast.store;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;
import org.readpast.sql.EnqueueSql;

/** Brings jobs into being, in the current transaction. */
public final class Enqueues {
  private static final int AT_ONCE = 1_000;

  private final Transactions transactions;

  public Enqueues(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Creates a queue with the defaults, unless it exists. */
  public void createQueue(String name) {
    Sql.change(transactions.entityManager(), EnqueueSql.createQueue(), name);
  }

  /** Inserts jobs, one statement for each thousand; gives one answer for each, in order. */
  public List<Enqueued> insert(List<NewJob> jobs) {
    List<Enqueued> all = new ArrayList<>(jobs.size());
    for (int from = 0; from < jobs.size(); from += AT_ONCE) {
      List<NewJob> some = jobs.subList(from, Math.min(from + AT_ONCE, jobs.size()));
      @Nullable Long[] ids = new Long[some.size()];
      insertNew(some, ids);
      all.addAll(withHolders(some, ids));
    }
    return all;
  }

  private void insertNew(List<NewJob> jobs, @Nullable Long[] ids) {
    if (jobs.size() == 1) {
      NewJob job = jobs.get(0);
      ids[0] =
          Sql.first(
              transactions.entityManager(),
              EnqueueSql.insertOne(),
              row -> row.number(0),
              job.queue(),
              job.type(),
              job.priority(),
              millis(job.delay()),
              utc(job.at()),
              millis(job.timeToLive()),
              utc(job.expiresAt()),
              job.uniqueKey(),
              job.correlationId(),
              job.properties(),
              job.maxAttempts(),
              job.payload());
      return;
    }
    Sql.rows(
        transactions.entityManager(),
        EnqueueSql.insert(),
        row -> ids[row.integer(0) - 1] = row.number(1),
        column(jobs, String[]::new, NewJob::queue),
        column(jobs, String[]::new, NewJob::type),
        column(jobs, Integer[]::new, NewJob::priority),
        column(jobs, Long[]::new, job -> millis(job.delay())),
        column(jobs, String[]::new, job -> Objects.toString(job.at(), null)),
        column(jobs, Long[]::new, job -> millis(job.timeToLive())),
        column(jobs, String[]::new, job -> Objects.toString(job.expiresAt(), null)),
        column(jobs, String[]::new, NewJob::uniqueKey),
        column(jobs, String[]::new, NewJob::correlationId),
        column(jobs, String[]::new, NewJob::properties),
        column(jobs, Integer[]::new, NewJob::maxAttempts),
        column(jobs, String[]::new, NewJob::payload));
  }

  /**
   * Fills in the live jobs that kept a place from being filled; a holder that has ended meanwhile
   * frees its key.
   */
  private List<Enqueued> withHolders(List<NewJob> jobs, @Nullable Long[] ids) {
    Enqueued[] answers = new Enqueued[ids.length];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      Long id = ids[i];
      if (id == null) {
        open.add(i);
      } else {
        answers[i] = new Enqueued(id, true);
      }
    }
    while (!open.isEmpty()) {
      Map<String, Long> holders = new HashMap<>();
      Sql.rows(
          transactions.entityManager(),
          EnqueueSql.holdersOfKeys(),
          row -> holders.put(row.text(0), row.number(1)),
          (Object) open.stream().map(i -> jobs.get(i).uniqueKey()).toArray(String[]::new));
      List<Integer> still = new ArrayList<>();
      for (int i : open) {
        Long holder = holders.get(jobs.get(i).uniqueKey());
        @Nullable Long[] one = new Long[1];
        if (holder == null) {
          insertNew(List.of(jobs.get(i)), one);
        }
        Long added = one[0];
        if (holder != null || added != null) {
          answers[i] = holder != null ? new Enqueued(holder, false) : new Enqueued(added, true);
        } else {
          still.add(i);
        }
      }
      open = still;
    }
    return List.of(answers);
  }

  private static <T> @Nullable T[] column(
      List<NewJob> jobs, Function<Integer, T[]> array, Function<NewJob, @Nullable T> field) {
    @Nullable T[] column = array.apply(jobs.size());
    IntStream.range(0, column.length).forEach(i -> column[i] = field.apply(jobs.get(i)));
    return column;
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  private static @Nullable OffsetDateTime utc(@Nullable Instant moment) {
    return moment == null ? null : Endings.utc(moment);
  }
}
