package org.readpast.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.NewJob;
import org.readpast.model.Principal;
import org.readpast.sql.CancelSql;
import org.readpast.sql.DependencySql;
import org.readpast.sql.OrderSql;

/** What the ends and additions of jobs mean for those that wait; for who holds the settle lock. */
public final class DependencyStore {
  private final Transactions transactions;

  public DependencyStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /** What has happened. */
  public enum What {
    ENDED,
    RESET,
    SEAL,
    SKIP,
    HOLD,
    RELEASE,
    CANCEL,
    LOOK
  }

  /**
   * Something that happened to a job, or to a batch.
   *
   * @param job null also where jobs have ended of which nothing more is to be known
   * @param state how the job ended; of one that was reset, how it had ended
   * @param counted whether its wave counted it as live
   * @param followed whether others come after it
   * @param jobs to how many it happened
   */
  public record Event(
      What what,
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

    /** The job, of an event that has one. */
    public long jobId() {
      return Objects.requireNonNull(job);
    }

    /** How jobs have ended, of an event that says so. */
    public JobState endState() {
      return Objects.requireNonNull(state);
    }

    static Event of(Row row) {
      return new Event(
          What.valueOf(row.text(1)),
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
   * What was taken, in the order in which it happened.
   *
   * @param more whether something is left
   */
  public record Events(List<Event> all, boolean more) {}

  /** A group of a queue. */
  public record Group(String queue, String key) {}

  /** An answer about a predecessor; ended: null as long as it lives. */
  public record Undecided(long predecessor, @Nullable JobState ended) {}

  /** A job that comes after one that ended badly. */
  public record Follower(long id, boolean cancelled) {}

  /**
   * A callback whose job is to be enqueued.
   *
   * @param reserved the id of its job, to which its texts are bound as they are stored; null: any
   */
  public record Call(long id, NewJob job, @Nullable Long reserved) {}

  /** Whether every job of a batch without live jobs ended well. */
  public record Through(long batch, boolean well) {}

  /**
   * Keeps all others from settling, to the end of the transaction.
   *
   * @return whether jobs were added of which nobody has taken note
   */
  public boolean lock() {
    return Sql.rows(transactions.entityManager(), DependencySql.lock(), row -> row.flag(0)).get(0);
  }

  /** Takes note of jobs that were added; gives them. */
  public List<ReleasedJobs> takeAdded(int most) {
    return Sql.rows(
        transactions.entityManager(), DependencySql.takeAdded(), ReleasedJobs::of, most);
  }

  /** Takes what has happened, the oldest first. */
  public Events takeEvents(int most) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(), DependencySql.takeEvents(), Function.identity(), most);
    return new Events(
        rows.stream().map(Event::of).toList(), !rows.isEmpty() && rows.get(0).flag(12));
  }

  /** Has batches looked at again, in another transaction. */
  public void lookAgain(Collection<Long> batches) {
    if (!batches.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          OrderSql.lookAgainAtBatches(),
          ids(batches),
          new Integer[batches.size()]);
    }
  }

  /**
   * Notifies the first followers of jobs that ended well, and returns them; jobs that have more are
   * noted for another transaction.
   */
  public List<Long> endedWell(Collection<Long> predecessors, int most) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.endedWell(),
        row -> row.number(0),
        ids(predecessors),
        most);
  }

  /** Does what {@link #endedWell} does for jobs that ended badly. */
  public List<Follower> endedBadly(Map<Long, JobState> predecessors, int most) {
    List<Map.Entry<Long, JobState>> all = List.copyOf(predecessors.entrySet());
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.endedBadly(),
        row -> new Follower(row.number(0), row.text(1).equals("CANCEL")),
        all.stream().map(Map.Entry::getKey).toArray(Long[]::new),
        most,
        all.stream().map(e -> e.getValue().name()).toArray(String[]::new));
  }

  /** These have ended themselves: nobody need look for their predecessors. */
  public void rest(Collection<Long> jobs) {
    change(DependencySql.rest(), jobs);
  }

  /** These were reset: they wait again for their predecessors, and their followers for them. */
  public void awaitAgain(Collection<Long> jobs) {
    change(DependencySql.awaitAgain(), jobs);
  }

  /**
   * Notes the transactions that are open and may have written jobs.
   *
   * @return the number of the first check that any of them may have been open at
   */
  public long checkWriters() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(), DependencySql.checkWriters(), row -> row.number(0)));
  }

  /**
   * Looks how predecessors stand.
   *
   * @param openAt the earliest check at which a writer that is still open may have been open
   * @param all also those that can be decided now; else only those not looked at yet
   */
  public List<Undecided> lookAtPredecessors(int most, long openAt, boolean all) {
    return Sql.rows(
        transactions.entityManager(),
        all ? DependencySql.lookAtPredecessors() : DependencySql.lookAtNewPredecessors(),
        row -> new Undecided(row.number(0), row.isNull(2) ? null : JobState.valueOf(row.text(2))),
        most,
        openAt);
  }

  /** Lets those go on whose predecessors are all through. */
  public List<ReleasedJobs> passPredecessors(Collection<Long> jobs) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.passPredecessors(),
        ReleasedJobs::of,
        (Object) ids(jobs));
  }

  /** Lets as many of each group go on as may. */
  public List<ReleasedJobs> passGroups(Collection<Group> groups) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.passGroups(),
        ReleasedJobs::of,
        queues(groups),
        keys(groups));
  }

  /** Has those looked at again of which something is in work that was leased as next. */
  public void lookAgainAtGroups(Collection<Group> groups) {
    Sql.change(
        transactions.entityManager(), OrderSql.lookAgainAtGroups(), queues(groups), keys(groups));
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

  /** Keeps the jobs of batches that wait for their wave from going on. */
  public void hold(Collection<Long> batches) {
    change(DependencySql.hold(), batches);
  }

  /** These batches are held no more. */
  public void release(Collection<Long> batches) {
    change(DependencySql.release(), batches);
  }

  /** Those of the batches that are being cancelled and have jobs that wait. */
  public List<Long> stillToCancel(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.stillToCancel(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** Those of the jobs that can be cancelled now; locked. The others are asked to end. */
  public List<Long> lockToCancel(Set<Long> jobs) {
    List<Long> locked =
        Sql.rows(
            transactions.entityManager(),
            CancelSql.lockToCancel(),
            row -> row.number(0),
            (Object) ids(jobs));
    change(CancelSql.askJobsToEnd(), jobs.stream().filter(id -> !locked.contains(id)).toList());
    return locked;
  }

  /** Those of the batches of which a job was ever discarded. */
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

  /** Marks those batches as cancelled that are to be when a job of theirs is discarded. */
  public void cancelDiscarded(Collection<Long> batches) {
    if (!batches.isEmpty()) {
      Sql.change(transactions.entityManager(), CancelSql.cancel(), ids(batches), true);
    }
  }

  /** Asks running jobs of these batches to end, however many others they have. */
  public void askLeasedToEnd(Collection<Long> batches) {
    change(CancelSql.askLeasedToEnd(), batches);
  }

  /** Asks all jobs of these batches to end that are left, but for those that wait for others. */
  public void askToEnd(Collection<Long> batches) {
    change(CancelSql.askToEnd(), batches);
  }

  /** Those of the batches that are being cancelled. */
  public List<Long> cancelling(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.cancelling(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** A job and its batch. */
  public record Member(long id, long batch) {}

  /** Jobs to cancel, of those batches that are being cancelled; locked. */
  public List<Member> toCancel(Collection<Long> batches, int most) {
    return Sql.rows(
        transactions.entityManager(),
        CancelSql.toCancel(),
        row -> new Member(row.number(0), row.number(1)),
        ids(batches),
        most);
  }

  /** Sealed batches to which nobody is adding: those of these, and any that is not finished. */
  public List<Long> sealedAndClosed(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.sealedAndClosed(),
        row -> row.number(0),
        (Object) ids(batches));
  }

  /** Finishes those of the batches that have no live job. */
  public List<Through> through(Collection<Long> batches) {
    return Sql.rows(
        transactions.entityManager(),
        DependencySql.through(),
        row -> new Through(row.number(0), row.flag(1)),
        (Object) ids(batches));
  }

  /** Callbacks that were not called yet, and now are. */
  public List<Call> call(Collection<Long> batches, String event) {
    List<Call> calls = new ArrayList<>();
    if (!batches.isEmpty()) {
      Sql.rows(
          transactions.entityManager(),
          DependencySql.call(),
          row -> calls.add(new Call(row.number(0), callback(row), row.numberOrNull(9))),
          ids(batches),
          event);
    }
    return calls;
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

  /** Keeps which job a callback has become. */
  public void called(long callback, long job) {
    Sql.change(transactions.entityManager(), DependencySql.called(), callback, job);
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
