package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;
import org.readpast.store.Enqueues;
import org.readpast.store.TransientErrors;

/**
 * Stores the jobs of callers that have no transaction of their own, as many to a commit as have
 * come on other threads while the last one was on its way. Each caller returns when its own job is
 * committed.
 */
final class GroupCommit {
  // Less than a commit takes.
  private static final Duration MAX_WAIT = Duration.ofNanos(500_000);

  private final Function<Supplier<List<Enqueued>>, List<Enqueued>> transaction;
  private final Function<List<NewJob>, List<Enqueued>> insert;
  private final Combiner<Request> combiner = new Combiner<>(MAX_WAIT, this::commit);

  /**
   * One for all callers.
   *
   * @param transaction runs work of one statement and commits it, and never twice
   * @param insert inserts jobs by one statement
   */
  GroupCommit(
      Function<Supplier<List<Enqueued>>, List<Enqueued>> transaction,
      Function<List<NewJob>, List<Enqueued>> insert) {
    this.transaction = transaction;
    this.insert = insert;
  }

  /** A job that a caller waits for. */
  private static final class Request {
    private final NewJob job;
    private @Nullable Enqueued enqueued;
    private @Nullable RuntimeException failure;

    Request(NewJob job) {
      this.job = job;
    }
  }

  /** Whether a job is stored without waiting for what any other transaction does. */
  static boolean admits(NewJob job) {
    return job.uniqueKey() == null && job.place().alone();
  }

  /** Stores a job; throws what has kept it from being stored. */
  Enqueued enqueue(NewJob job) {
    Request wanted = new Request(job);
    combiner.submit(wanted);
    Enqueued enqueued = wanted.enqueued;
    if (enqueued == null) {
      throw Objects.requireNonNull(wanted.failure);
    }
    return enqueued;
  }

  private void commit(List<Request> all) {
    try {
      // A statement each: it may commit by itself.
      Enqueues.pieces(all, wanted -> wanted.job).forEach(this::commitAtOnce);
    } catch (Error e) {
      all.forEach(wanted -> wanted.failure = new IllegalStateException("could not be stored", e));
      throw e;
    }
  }

  private void commitAtOnce(List<Request> all) {
    AtomicBoolean inserted = new AtomicBoolean();
    try {
      List<Enqueued> enqueued =
          transaction.apply(
              () -> {
                List<Enqueued> some = insert.apply(all.stream().map(wanted -> wanted.job).toList());
                inserted.set(true);
                return some;
              });
      for (int i = 0; i < all.size(); i++) {
        all.get(i).enqueued = enqueued.get(i);
      }
    } catch (RuntimeException e) {
      all.forEach(wanted -> wanted.failure = e);
      // Of a commit that failed nobody knows whether it was one: not to be repeated. Nor is what
      // would keep each of them waiting as long again.
      if (all.size() > 1 && !inserted.get() && TransientErrors.mayBeOfData(e)) {
        all.forEach(wanted -> commitAtOnce(List.of(wanted)));
      }
    }
  }
}
