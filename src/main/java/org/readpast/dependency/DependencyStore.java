package org.readpast.dependency;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.NewJob;
import org.readpast.model.Principal;
import org.readpast.sql.MaintenanceSql;

/**
 * Stores how the ends and additions of jobs affect jobs that wait for them. Callers must hold the
 * lock of the dependency resolver ({@link #lock()}).
 */
public final class DependencyStore {
  // The database and the driver keep several copies of a result.
  private static final long MOST_BYTES = 4 << 20;

  private final Transactions transactions;

  public DependencyStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Identifies the kind of an event. */
  public enum EventKind {
    ENDED,
    RESET,
    SEAL,
    SKIP,
    HOLD,
    RELEASE,
    CANCEL,
    RECHECK
  }

  /**
   * Describes an event of one or more jobs, or of a batch.
   *
   * @param job the job, or null for an event of a batch, or of several ended jobs that need no
   *     further processing
   * @param state how the job ended; if it was reset, how it had ended before
   * @param counted true if the wave of the job has counted it as live
   * @param followed true if the job is a predecessor of other jobs
   * @param jobs the number of jobs that the event covers
   */
  public record Event(
      EventKind kind,
      @Nullable Long job,
      @Nullable JobState state,
      @Nullable String queue,
      @Nullable String group,
      boolean holdsGroup,
      @Nullable Long batch,
      @Nullable Integer wave,
      boolean counted,
      boolean followed,
      int jobs) {

    /** Returns the job of an event that has one. */
    public long jobId() {
      return Objects.requireNonNull(job);
    }

    /** Returns the final state of an event that has one. */
    public JobState endState() {
      return Objects.requireNonNull(state);
    }

    static Event of(Row row) {
      return new Event(
          EventKind.valueOf(row.text(1)),
          row.numberOrNull(2),
          row.isNull(3) ? null : JobState.valueOf(row.text(3)),
          row.textOrNull(4),
          row.textOrNull(5),
          row.flag(6),
          row.numberOrNull(7),
          row.integerOrNull(8),
          row.flag(9),
          row.flag(10),
          row.integer(11));
    }
  }

  /**
   * Holds events, in the order in which they occurred.
   *
   * @param more true if there are more events
   */
  public record Events(List<Event> all, boolean more) {}

  /** Identifies a group of a queue. */
  public record Group(String queue, String key) {}

  /** Holds the state of a predecessor; {@code ended} is null while it is live. */
  public record PredecessorState(long predecessor, @Nullable JobState ended) {}

  /** Identifies a job whose predecessor has ended without success. */
  public record Follower(long id, boolean cancelled) {}

  /**
   * Describes a callback whose job is to be enqueued.
   *
   * @param reserved the id that the job must have, because its stored values are bound to that id;
   *     null for any id
   */
  public record DueCallback(long id, NewJob job, @Nullable Long reserved) {}

  /**
   * Holds callbacks whose jobs are to be enqueued.
   *
   * @param more true if other callbacks may be due
   */
  public record DueCallbacks(List<DueCallback> some, boolean more) {}

  /**
   * Identifies a batch that has no live jobs; {@code succeeded} is true if all of its jobs
   * succeeded.
   */
  public record FinishedBatch(long batch, boolean succeeded) {}

  /**
   * Acquires the lock of the dependency resolver until the end of the transaction.
   *
   * @return true if there are added jobs that have not been registered yet
   */
  public boolean lock() {
    return Sql.rows(transactions.entityManager(), DependencySql.lock(), row -> row.flag(0)).get(0);
  }

  /** Registers jobs that were added, and returns them. */
  public List<AlikeJobs> takeUnseen(int most) {
    return Sql.rows(transactions.entityManager(), DependencySql.takeUnseen(), AlikeJobs::of, most);
  }

  /** Deletes the oldest events, and returns them. */
  public Events takeEvents(int most) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(), DependencySql.takeEvents(), Function.identity(), most);
    return new Events(
        rows.stream().map(Event::of).toList(), !rows.isEmpty() && rows.get(0).flag(12));
  }

  /** Requests that batches be checked again in another transaction. */
  public void requestCheck(Collection<Long> batches) {
    if (!batches.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          DependencySql.requestCheck(),
          ids(batches),
          new Integer[batches.size()]);
    }
  }

  /**
   * Notifies the first followers of jobs that succeeded, and returns the notified followers. If a
   * job has more followers, another transaction notifies them.
   */
  public List<Long> notifyOfSuccess(Collection<Long> predecessors, int most) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.notifyOfSuccess(),
        row -> row.number(0),
        ids(predecessors),
        most);
  }

  /**
   * Notifies the first followers of jobs that ended without success, as {@link #notifyOfSuccess}
   * does for jobs that succeeded.
   */
  public List<Follower> notifyOfFailure(Map<Long, JobState> predecessors, int most) {
    List<Map.Entry<Long, JobState>> all = List.copyOf(predecessors.entrySet());
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.notifyOfFailure(),
        row -> new Follower(row.number(0), row.text(1).equals("CANCEL")),
        all.stream().map(Map.Entry::getKey).toArray(Long[]::new),
        most,
        all.stream().map(e -> e.getValue().name()).toArray(String[]::new));
  }

  /** Stops checking the predecessors of the given jobs, because the jobs themselves have ended. */
  public void stopChecking(Collection<Long> jobs) {
    change(DependencySql.stopChecking(), jobs);
  }

  /**
   * Makes jobs that were reset wait for their predecessors again, and makes their followers wait
   * for them.
   */
  public void awaitAgain(Collection<Long> jobs) {
    change(DependencySql.awaitAgain(), jobs);
  }

  /**
   * Records the open transactions that may have written jobs.
   *
   * @return the number of the earliest check at which one of the recorded transactions may have
   *     been open
   */
  public long checkWriters() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(), DependencySql.checkWriters(), row -> row.number(0)));
  }

  /**
   * Returns the current states of predecessors.
   *
   * @param openAt the earliest check at which a transaction that is still open may have been open
   * @param all true to include predecessors whose state can be determined only now; false for
   *     predecessors that have not been checked yet
   */
  public List<PredecessorState> checkPredecessors(int most, long openAt, boolean all) {
    return Sql.rows(
        transactions.entityManager(),
        all ? DependencySql.checkPredecessors() : DependencySql.checkNewPredecessors(),
        row ->
            new PredecessorState(
                row.number(0), row.isNull(2) ? null : JobState.valueOf(row.text(2))),
        most,
        openAt);
  }

  /** Releases the jobs whose predecessors have all ended. */
  public List<AlikeJobs> releaseAfterPredecessors(Collection<Long> jobs) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.releaseAfterPredecessors(),
        AlikeJobs::of,
        (Object) ids(jobs));
  }

  /** Releases as many jobs of each group as may run. */
  public List<AlikeJobs> releaseGroups(Collection<Group> groups) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.releaseGroups(),
        AlikeJobs::of,
        queues(groups),
        keys(groups));
  }

  /**
   * Requests another check of the groups that have a running job which was leased as the next of
   * its group. Returns the number of these groups.
   */
  public int requestGroupCheck(Collection<Group> groups) {
    return Sql.change(
        transactions.entityManager(),
        DependencySql.requestGroupCheck(),
        queues(groups),
        keys(groups));
  }

  private static String[] queues(Collection<Group> groups) {
    return groups.stream().map(Group::queue).toArray(String[]::new);
  }

  private static String[] keys(Collection<Group> groups) {
    return groups.stream().map(Group::key).toArray(String[]::new);
  }

  public void seal(Collection<Long> batches) {
    change(DependencySql.seal(), batches);
  }

  /** Holds batches: their jobs that wait for a wave are not released. */
  public void hold(Collection<Long> batches) {
    change(DependencySql.hold(), batches);
  }

  /** Ends the hold of batches. */
  public void release(Collection<Long> batches) {
    change(DependencySql.release(), batches);
  }

  /** Returns the batches that are being cancelled and still have BLOCKED jobs. */
  public List<Long> stillToCancel(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.stillToCancel(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /**
   * Locks and returns the jobs that can be cancelled now. Records a cancellation request for the
   * other jobs.
   */
  public List<Long> lockToCancel(Set<Long> jobs) {
    List<Long> locked =
        Sql.rows(
            transactions.entityManager(),
            MaintenanceSql.lockToCancel(),
            row -> row.number(0),
            (Object) ids(jobs));
    change(
        CancelSql.requestCancellationOfJobs(),
        jobs.stream().filter(id -> !locked.contains(id)).toList());
    return locked;
  }

  /** Returns the batches in which a job was ever discarded. */
  public List<Long> withDiscarded(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.withDiscarded(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** Marks batches as cancelled. */
  public void cancel(Collection<Long> batches) {
    if (!batches.isEmpty()) {
      Sql.change(transactions.entityManager(), CancelSql.cancel(), ids(batches), false);
    }
  }

  /** Cancels the batches whose failure policy is CANCEL; a job in each of them was discarded. */
  public void cancelDiscarded(Collection<Long> batches) {
    if (!batches.isEmpty()) {
      Sql.change(transactions.entityManager(), CancelSql.cancel(), ids(batches), true);
    }
  }

  /**
   * Records cancellation requests for the running jobs of batches, without reading their other
   * jobs.
   */
  public void requestCancellationOfLeased(Collection<Long> batches) {
    change(CancelSql.requestCancellationOfLeased(), batches);
  }

  /** Records cancellation requests for all live jobs of batches, except BLOCKED ones. */
  public void requestCancellation(Collection<Long> batches) {
    change(CancelSql.requestCancellation(), batches);
  }

  /** Returns the batches that are being cancelled. */
  public List<Long> cancelling(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.cancelling(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** Identifies a job and its batch. */
  public record Member(long id, long batch) {}

  /** Locks and returns jobs to cancel, in batches that are being cancelled. */
  public List<Member> toCancel(Collection<Long> batches, int most) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.toCancel(),
        row -> new Member(row.number(0), row.number(1)),
        ids(batches),
        most);
  }

  /**
   * Locks and returns sealed batches that have no live jobs and to which no transaction is adding
   * jobs: the given batches, and all that are not finished.
   */
  public List<Long> lockFinishable(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.lockFinishable(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** Finishes the batches that have no live jobs, and returns them. */
  public List<FinishedBatch> finish(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.finish(),
        row -> new FinishedBatch(row.number(0), row.flag(1)),
        (Object) ids(batches));
  }

  /**
   * Marks callbacks as called, unless they were called before, and returns them. If there are more
   * than fit in memory together, returns only the first ones.
   */
  public DueCallbacks takeCallbacks(Collection<Long> batches, String event) {
    if (batches.isEmpty()) {
      return new DueCallbacks(List.of(), false);
    }
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            DependencySql.takeCallbacks(),
            Function.identity(),
            ids(batches),
            event,
            MOST_BYTES);
    return new DueCallbacks(
        rows.stream()
            .map(row -> new DueCallback(row.number(0), callback(row), row.numberOrNull(9)))
            .toList(),
        !rows.isEmpty() && rows.get(0).flag(10));
  }

  private static NewJob callback(Row row) {
    return new NewJob(
            row.text(1),
            row.text(2),
            row.integer(3),
            null,
            null,
            null,
            null,
            null,
            row.textOrNull(5),
            row.textOrNull(6),
            row.integerOrNull(4),
            row.text(7))
        .by(Principal.read(row.textOrNull(8)));
  }

  /** Records the job that was enqueued for a callback. */
  public void recordCallbackJob(long callback, long job) {
    Sql.change(transactions.entityManager(), DependencySql.recordCallbackJob(), callback, job);
  }

  private void change(String statement, Collection<Long> ids) {
    if (!ids.isEmpty()) {
      Sql.change(transactions.entityManager(), statement, (Object) ids(ids));
    }
  }

  static Long[] ids(Collection<Long> ids) {
    return ids.toArray(Long[]::new);
  }
}
