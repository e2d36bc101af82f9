package org.readpast.admin.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.AdminSql;
import org.readpast.admin.sql.ReadSql;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Transition;
import org.readpast.sql.EndSql;
import org.readpast.store.Claims;
import org.readpast.store.JobEndListener;
import org.readpast.store.JobEndStore;

/** Executes operators' changes to jobs, in the current transaction. */
public final class JobAdmin {
  private static final String[] RESETTABLE = names(Transition.RESET.from());
  private static final String[] WAITING =
      names(Transition.CANCEL.from().stream().filter(state -> state != JobState.RUNNING).toList());

  private final Transactions transactions;
  private final JobEndListener listener;

  /** Creates an instance that does not report cancellations. */
  public JobAdmin(Transactions transactions) {
    this(transactions, JobEndListener.NONE);
  }

  /**
   * @param listener returns the retention of cancelled jobs, and is notified of cancellations
   */
  public JobAdmin(Transactions transactions, JobEndListener listener) {
    this.transactions = transactions;
    this.listener = listener;
  }

  /** Lists the outcomes of a cancellation request. */
  public enum Cancellation {
    /** The job has ended as CANCELLED. */
    ENDED,
    /**
     * The job is running and was asked to end, or it is BLOCKED and ends shortly after the commit.
     */
    ASKED,
    /** No live job has this id. */
    NOT_LIVE
  }

  /**
   * Describes a changed job.
   *
   * @param from the old value of the changed property: the job's state, priority or due time
   * @param to the new value, or null if the job was deleted
   */
  public record Changed(long id, String queue, String from, @Nullable String to) {
    private static Changed read(Row row) {
      return new Changed(row.number(0), row.text(1), row.text(2), row.textOrNull(3));
    }
  }

  /**
   * Reports the outcome of a request to cancel a job.
   *
   * @param from the previous state of the job, if the job has ended
   * @param already true if the job had been asked to end before this request
   */
  public record Cancelled(Cancellation what, @Nullable JobState from, boolean already) {}

  /** Cancels a waiting job, or asks a running job to end. */
  public Cancelled cancel(long id) {
    EntityManager em = transactions.entityManager();
    String state = Sql.first(em, AdminSql.lockOneWaiting(), row -> row.text(0), id);
    if (state != null) {
      cancelWaiting(List.of(id));
      return new Cancelled(Cancellation.ENDED, JobState.valueOf(state), false);
    }
    String live = Sql.first(em, AdminSql.liveState(), row -> row.text(0), id);
    if (live == null) {
      return new Cancelled(Cancellation.NOT_LIVE, null, false);
    }
    if (live.equals(JobState.BLOCKED.name())) {
      // The dependency resolver locks rows of BLOCKED jobs, so a lock in a long transaction would
      // delay the dependencies of all other jobs.
      Sql.change(em, AdminSql.cancelJob(), id);
      return new Cancelled(Cancellation.ASKED, null, false);
    }
    // The job is running, and a lock on its row would block its worker.
    boolean asked = Sql.change(em, AdminSql.askCancellation(), id) > 0;
    if (!asked && Sql.first(em, ReadSql.cancellation(), row -> true, id) == null) {
      return new Cancelled(Cancellation.NOT_LIVE, null, false);
    }
    return new Cancelled(Cancellation.ASKED, null, !asked);
  }

  /**
   * Cancels many waiting jobs, and asks those that run to end; jobs that are not live are skipped.
   *
   * @return the number of jobs that have ended or were asked to end, by their previous state
   */
  public Map<String, Integer> cancelAll(Collection<Long> jobs) {
    EntityManager em = transactions.entityManager();
    Long[] ids = jobs.toArray(Long[]::new);
    List<Long> waiting = Sql.rows(em, AdminSql.lockWaiting(), row -> row.number(0), (Object) ids);
    Map<String, Integer> counts = cancelWaiting(waiting);
    count(counts, JobState.BLOCKED, Sql.change(em, AdminSql.cancelJobs(), (Object) ids));
    count(counts, JobState.RUNNING, Sql.change(em, AdminSql.askCancellations(), (Object) ids));
    return counts;
  }

  private static void count(Map<String, Integer> counts, JobState state, int jobs) {
    if (jobs > 0) {
      counts.merge(state.name(), jobs, Integer::sum);
    }
  }

  /**
   * Cancels waiting jobs whose rows the current transaction has locked. Returns the number of
   * cancelled jobs by their previous state.
   */
  public Map<String, Integer> cancelWaiting(Collection<Long> jobs) {
    EntityManager em = transactions.entityManager();
    Long[] ids = jobs.toArray(Long[]::new);
    Map<String, Integer> counts = new TreeMap<>();
    List<Row> rows =
        Sql.rows(
            em,
            EndSql.endWaiting(),
            Function.identity(),
            JobEndStore.waiting(jobs, Transition.CANCEL, listener.retention()));
    rows.forEach(row -> counts.merge(row.text(8), 1, Integer::sum));
    List<Claims.ReopenedLane> available = JobEndStore.available(rows);
    if (!available.isEmpty()) {
      restoredIfRolledBack(available);
    }
    JobEndStore.notify(listener, transactions, rows, JobState.CANCELLED);
    Sql.change(em, AdminSql.forgetCancellations(), (Object) ids);
    return counts;
  }

  /** Locks waiting jobs of a queue in the order of their ids, and returns the ids. */
  public List<Long> waiting(String queue, long above, long upTo, int most) {
    return Sql.rows(
        transactions.entityManager(),
        AdminSql.waiting(),
        row -> row.number(0),
        queue,
        WAITING,
        above,
        upTo,
        most);
  }

  /** Returns the highest id of a live job of a queue, or 0 if there is none. */
  public long highestId(String queue) {
    Long highest =
        Sql.first(
            transactions.entityManager(), AdminSql.highestId(), row -> row.numberOrNull(0), queue);
    return highest == null ? 0 : highest;
  }

  /**
   * Resets ended jobs with their full number of attempts; jobs that cannot be reset are skipped.
   *
   * @param force true to reset jobs even if jobs that would have waited for them have started
   */
  public List<Changed> reset(Collection<Long> ids, boolean force) {
    return resetTo(ids, force, null);
  }

  /**
   * Resets one job with a new payload; returns an empty list if it cannot be reset.
   *
   * @param payload the new payload as JSON
   */
  public List<Changed> reset(JobView job, boolean force, String payload) {
    EncryptionContext place = EncryptionContext.payload(job.id(), job.storedType().stored());
    return resetTo(List.of(job.id()), force, transactions.encryption().sealJson(place, payload));
  }

  private List<Changed> resetTo(Collection<Long> ids, boolean force, @Nullable String payload) {
    Long[] some = ids.toArray(Long[]::new);
    EntityManager em = transactions.entityManager();
    List<Changed> reset =
        Sql.rows(em, AdminSql.reset(), Changed::read, some, RESETTABLE, force, payload);
    // A cancellation that was requested before the reset must not end the job after the reset.
    Sql.change(
        em,
        AdminSql.forgetCancellations(),
        (Object) reset.stream().map(Changed::id).toArray(Long[]::new));
    return reset;
  }

  /** Makes a job AVAILABLE if it is SCHEDULED. */
  public List<Changed> runNow(long id) {
    return changed(AdminSql.runNow(false), (Object) new Long[] {id});
  }

  /**
   * Makes the given jobs that are SCHEDULED available, except jobs that another transaction has
   * locked.
   */
  public List<Changed> runNow(Collection<Long> ids) {
    return changed(AdminSql.runNow(true), (Object) ids.toArray(Long[]::new));
  }

  /**
   * Reports the outcome of a request to reschedule a job.
   *
   * @param change the change, or null if the job is neither SCHEDULED nor AVAILABLE with a due time
   *     in the future
   * @param dueIn the time until the job is due; zero or less if it is due already
   */
  public record Rescheduled(@Nullable Changed change, Duration dueIn) {}

  /**
   * Changes the due time of a job that is SCHEDULED, or AVAILABLE with a due time in the future.
   */
  public Rescheduled reschedule(long id, Instant at) {
    Row row =
        Objects.requireNonNull(
            Sql.first(
                transactions.entityManager(),
                AdminSql.reschedule(),
                Function.identity(),
                id,
                Sql.utc(at)),
            "an aggregate query returned no row");
    Duration dueIn = Duration.ofMillis(row.number(0));
    if (row.isNull(1)) {
      return new Rescheduled(null, dueIn);
    }
    if (!row.isNull(7)) {
      restoredIfRolledBack(
          List.of(
              new Claims.ReopenedLane(row.text(2), row.text(5), row.integer(6), row.number(7))));
    }
    return new Rescheduled(
        new Changed(row.number(1), row.text(2), row.text(3), row.textOrNull(4)), dueIn);
  }

  /**
   * Makes nodes claim skipped jobs after a rollback: claims skip jobs that this transaction has
   * locked, and might not return to their positions.
   */
  private void restoredIfRolledBack(List<Claims.ReopenedLane> available) {
    transactions.afterCompletion(
        committed -> {
          if (!committed) {
            listener.restored(available);
          }
        });
  }

  /**
   * Changes the priority of the waiting jobs; the order within a group stays unchanged. Use short
   * transactions, because the dependency resolver cannot release waiting jobs in the meantime.
   *
   * @param priority the new priority, from 0 to 9
   * @return the jobs that had another priority; jobs that another transaction has locked are
   *     skipped
   */
  public List<Changed> changePriority(Collection<Long> ids, int priority) {
    return moved(AdminSql.changePriority(), ids.toArray(Long[]::new), priority, WAITING);
  }

  /** Returns the sizes of the contents of the given live jobs that are encrypted, by id. */
  public Map<Long, Long> encryptedBytes(Collection<Long> ids) {
    Map<Long, Long> bytes = new TreeMap<>();
    Sql.rows(
        transactions.entityManager(),
        AdminSql.encryptedBytes(),
        row -> bytes.put(row.number(0), row.number(1)),
        ids.toArray(Long[]::new),
        Encryption.JSON_PREFIX);
    return bytes;
  }

  /**
   * Changes the type of the waiting jobs; the type is given in its stored form. Encrypted content
   * is bound to the job's type, so it is re-encrypted.
   *
   * @return the jobs that had another type; jobs that another transaction has locked, or that this
   *     application cannot decrypt, are skipped
   */
  public List<Changed> changeType(Collection<Long> ids, String type) {
    JobTexts texts = new JobTexts(transactions, listener);
    Map<Long, Optional<JobTexts.Clear>> found = texts.lock(ids, type, WAITING);
    List<Changed> changed =
        moved(AdminSql.changeType(), found.keySet().toArray(Long[]::new), type, WAITING);
    texts.store(
        type,
        changed.stream()
            .flatMap(one -> Objects.requireNonNull(found.get(one.id())).stream())
            .toList());
    return changed;
  }

  private List<Changed> moved(String statement, @Nullable Object... parameters) {
    List<Row> rows =
        Sql.rows(transactions.entityManager(), statement, Function.identity(), parameters);
    List<Claims.ReopenedLane> available = new ArrayList<>();
    for (Row row : rows) {
      if (!row.isNull(6)) {
        available.add(
            new Claims.ReopenedLane(row.text(1), row.text(4), row.integer(5), row.number(6)));
      }
    }
    if (!available.isEmpty()) {
      restoredIfRolledBack(available);
    }
    return rows.stream().map(Changed::read).toList();
  }

  private List<Changed> changed(String statement, Object... parameters) {
    return Sql.rows(transactions.entityManager(), statement, Changed::read, parameters);
  }

  /**
   * Deletes ended jobs and everything that is stored about them. Higher waves and groups that the
   * jobs hold continue after the current transaction has committed.
   *
   * @return the deleted jobs; jobs that other jobs wait for are not deleted
   */
  public List<Changed> delete(Collection<Long> ids) {
    return changed(AdminSql.delete(), (Object) ids.toArray(Long[]::new));
  }

  /**
   * Deletes the content of ended jobs: payloads, results, properties, failure messages, stack
   * traces and log lines. Returns the erased jobs.
   */
  public List<Changed> erase(Collection<Long> ids) {
    return changed(AdminSql.erase(), (Object) ids.toArray(Long[]::new));
  }

  /** Returns a job that waits for this ended job, or null if none does. */
  public @Nullable Long followerOf(long id) {
    return Sql.first(transactions.entityManager(), AdminSql.follower(), row -> row.number(0), id);
  }

  /** Returns true if another job has started that would have waited for this job to succeed. */
  public boolean overtaken(long id) {
    return Sql.first(transactions.entityManager(), AdminSql.overtaken(), row -> true, id) != null;
  }

  /** Returns the live job that has a unique key, or null if none has it. */
  public @Nullable Long holderOf(String uniqueKey) {
    return Sql.first(
        transactions.entityManager(), AdminSql.holderOfKey(), row -> row.number(0), uniqueKey);
  }

  private static String[] names(Collection<JobState> states) {
    return states.stream().map(JobState::name).toArray(String[]::new);
  }
}
