package org.readpast.enqueue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.database.Combiner;
import org.readpast.database.TransientErrors;
import org.readpast.model.NewJob;

/**
 * Stores jobs of callers that have no transaction. Each commit covers the jobs that other threads
 * have submitted while the previous commit was in progress. Each caller returns when its own job is
 * committed.
 */
public final class GroupCommit {
  // The wait is shorter than a typical commit.
  private static final Duration MAX_WAIT = Duration.ofNanos(500_000);

  private final Function<Supplier<List<Enqueued>>, List<Enqueued>> transaction;
  private final Function<List<NewJob>, List<Enqueued>> insert;
  private final Combiner<Request> combiner = new Combiner<>(MAX_WAIT, this::commit);

  /**
   * Creates the instance for all callers.
   *
   * @param transaction executes a single statement and commits it, but never executes it twice
   * @param insert inserts jobs with a single statement
   */
  public GroupCommit(
      Function<Supplier<List<Enqueued>>, List<Enqueued>> transaction,
      Function<List<NewJob>, List<Enqueued>> insert) {
    this.transaction = transaction;
    this.insert = insert;
  }

  /** Represents a job whose caller waits for its commit. */
  private static final class Request {
    private final NewJob job;
    private @Nullable Enqueued enqueued;
    private @Nullable RuntimeException failure;

    Request(NewJob job) {
      this.job = job;
    }
  }

  /** Returns true if storing a job never has to wait for another transaction. */
  public static boolean admits(NewJob job) {
    return job.uniqueKey() == null && job.dependencies().alone();
  }

  /** Stores a job, or throws the exception that prevented it. */
  public Enqueued enqueue(NewJob job) {
    Request request = new Request(job);
    combiner.submit(request);
    Enqueued enqueued = request.enqueued;
    if (enqueued == null) {
      throw Objects.requireNonNull(request.failure);
    }
    return enqueued;
  }

  private void commit(List<Request> all) {
    try {
      // Each piece is stored by a single statement, which may commit by itself.
      Enqueues.pieces(all, request -> request.job).forEach(this::commitTogether);
    } catch (Error e) {
      all.forEach(
          request ->
              request.failure = new IllegalStateException("the jobs could not be stored", e));
      throw e;
    }
  }

  private void commitTogether(List<Request> all) {
    AtomicBoolean inserted = new AtomicBoolean();
    try {
      List<Enqueued> enqueued =
          transaction.apply(
              () -> {
                List<Enqueued> some =
                    insert.apply(all.stream().map(request -> request.job).toList());
                inserted.set(true);
                return some;
              });
      for (int i = 0; i < all.size(); i++) {
        all.get(i).enqueued = enqueued.get(i);
      }
    } catch (RuntimeException e) {
      all.forEach(request -> request.failure = e);
      // Each job is stored alone only if the data of one of them may have caused the failure. A
      // failed commit is not repeated, because it may have taken effect. Other failures, such as an
      // outage, are not repeated either, because each job would wait for the same failure.
      if (all.size() > 1 && !inserted.get() && TransientErrors.mayBeCausedByData(e)) {
        all.forEach(request -> commitTogether(List.of(request)));
      }
    }
  }
}
