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
import org.readpast.model.EncryptedException;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueScope;
import org.readpast.model.Transition;
import org.readpast.sql.EndSql;
import org.readpast.store.Claims;
import org.readpast.store.EndWatch;
import org.readpast.store.Endings;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** What operators do to jobs, in the current transaction. */
public final class JobAdmin {
  private static final String[] RESETTABLE = names(Transition.RESET.from());
  private static final String[] WAITING =
      names(Transition.CANCEL.from().stream().filter(state -> state != JobState.RUNNING).toList());

  private final Transactions transactions;
  private final EndWatch watch;

  /** One whose cancellations nobody hears of. */
  public JobAdmin(Transactions transactions) {
    this(transactions, EndWatch.NONE);
  }

  /**
   * @param watch says how long cancelled jobs are kept, and is notified of them
   */
  public JobAdmin(Transactions transactions, EndWatch watch) {
    this.transactions = transactions;
    this.watch = watch;
  }

  /** What became of a wish to cancel. */
  public enum Cancellation {
    /** It has ended as CANCELLED. */
    ENDED,
    /** It is in work and was asked to end. */
    ASKED,
    /** There is no such live job. */
    NOT_LIVE
  }

  /**
   * A job that was changed.
   *
   * @param from its state, its priority or the moment at which it was due: what was changed
   * @param to the same, as it is now; null: it is gone
   */
  public record Changed(long id, String queue, String from, @Nullable String to) {
    private static Changed read(Row row) {
      return new Changed(row.number(0), row.text(1), row.text(2), row.textOrNull(3));
    }
  }

  /**
   * What became of a wish to cancel a job.
   *
   * @param from the state in which it was, if it has ended
   * @param already whether it had been asked to end before
   */
  public record Cancelled(Cancellation what, @Nullable JobState from, boolean already) {}

  /** Cancels a job that waits; asks one that is in work to end. */
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
      // Its row is the settlement's: a lock in a long transaction would keep all others waiting.
      Sql.change(em, AdminSql.cancelJob(), id);
      return new Cancelled(Cancellation.ASKED, null, false);
    }
    // It is in work: a lock on its row would keep its owner waiting.
    boolean asked = Sql.change(em, AdminSql.askCancellation(), id) > 0;
    if (!asked && Sql.first(em, ReadSql.cancellation(), row -> true, id) == null) {
      return new Cancelled(Cancellation.NOT_LIVE, null, false);
    }
    return new Cancelled(Cancellation.ASKED, null, !asked);
  }

  /**
   * The same for many; leaves out those that are not live.
   *
   * @return how many have ended or were asked to, by the state in which they were
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
   * Ends jobs that wait, whose rows the current transaction has locked; gives how many, by the
   * state in which they were.
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
            Endings.waiting(jobs, Transition.CANCEL, watch.retention()));
    rows.forEach(row -> counts.merge(row.text(8), 1, Integer::sum));
    List<Claims.Released> available = Endings.available(rows);
    if (!available.isEmpty()) {
      restoredIfRolledBack(available);
    }
    Endings.notify(watch, transactions, rows, JobState.CANCELLED);
    Sql.change(em, AdminSql.forgetCancellations(), (Object) ids);
    return counts;
  }

  /** Locks jobs of a queue that wait, by id; gives their ids. */
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

  /** The highest id of a live job of a queue; 0 when there is none. */
  public long highestId(String queue) {
    Long highest =
        Sql.first(
            transactions.entityManager(), AdminSql.highestId(), row -> row.numberOrNull(0), queue);
    return highest == null ? 0 : highest;
  }

  /**
   * Brings ended jobs back, with all their attempts before them; leaves out those that cannot be.
   *
   * @param force also those that jobs have overtaken which would have waited for them
   */
  public List<Changed> reset(Collection<Long> ids, boolean force) {
    return resetTo(ids, force, null);
  }

  /**
   * Brings one back with another payload; gives nothing if it cannot be.
   *
   * @param payload JSON
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
    // A wish from its former life must not end the new one.
    Sql.change(
        em,
        AdminSql.forgetCancellations(),
        (Object) reset.stream().map(Changed::id).toArray(Long[]::new));
    return reset;
  }

  /** Makes those of the jobs AVAILABLE that are SCHEDULED. */
  public List<Changed> runNow(Collection<Long> ids) {
    return changed(AdminSql.runNow(), (Object) ids.toArray(Long[]::new));
  }

  /**
   * What became of a wish to reschedule a job.
   *
   * @param change null: the job is neither SCHEDULED, nor AVAILABLE and to be due later
   * @param dueIn until the moment; zero or less: it has passed
   */
  public record Rescheduled(@Nullable Changed change, Duration dueIn) {}

  /** Changes when a job becomes due that is SCHEDULED, or AVAILABLE and to be due later. */
  public Rescheduled reschedule(long id, Instant at) {
    Row row =
        Objects.requireNonNull(
            Sql.first(
                transactions.entityManager(),
                AdminSql.reschedule(),
                Function.identity(),
                id,
                Endings.utc(at)),
            "there is a row also of no job");
    Duration dueIn = Duration.ofMillis(row.number(0));
    if (row.isNull(1)) {
      return new Rescheduled(null, dueIn);
    }
    if (!row.isNull(7)) {
      restoredIfRolledBack(
          List.of(new Claims.Released(row.text(2), row.text(5), row.integer(6), row.number(7))));
    }
    return new Rescheduled(
        new Changed(row.number(1), row.text(2), row.text(3), row.textOrNull(4)), dueIn);
  }

  /** Claims skip jobs that this transaction has locked, and may not return to their places. */
  private void restoredIfRolledBack(List<Claims.Released> available) {
    transactions.afterCompletion(
        committed -> {
          if (!committed) {
            watch.restored(available);
          }
        });
  }

  /**
   * Gives those of the jobs that wait another priority, which changes nothing within a group. Best
   * in short transactions: nobody settles meanwhile who waits for whom.
   *
   * @param priority 0 to 9
   * @return those that had another one; not those that somebody has in use
   */
  public List<Changed> changePriority(Collection<Long> ids, int priority) {
    return moved(AdminSql.changePriority(), ids.toArray(Long[]::new), priority, WAITING);
  }

  /**
   * Makes those of the jobs that wait jobs of another type, as it is stored. What is encrypted is
   * bound to its type, so it is encrypted anew.
   *
   * @return those that had another one; not those that somebody has in use, or that this
   *     application cannot decrypt
   */
  public List<Changed> changeType(Collection<Long> ids, String type) {
    Map<Long, Optional<Texts>> found = decrypted(ids, type);
    List<Changed> changed =
        moved(AdminSql.changeType(), found.keySet().toArray(Long[]::new), type, WAITING);
    List<Texts> bound =
        changed.stream()
            .flatMap(one -> Objects.requireNonNull(found.get(one.id())).stream())
            .map(texts -> texts.sealed(type, transactions.encryption()))
            .toList();
    if (!bound.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          AdminSql.replaceTexts(),
          bound.stream().map(Texts::job).toArray(Long[]::new),
          bound.stream().map(Texts::payload).toArray(String[]::new),
          bound.stream().map(Texts::properties).toArray(String[]::new));
    }
    return changed;
  }

  /** What is encrypted of a job, and bound to its type. */
  private record Texts(long job, String payload, @Nullable String properties) {
    private Texts sealed(String type, Encryption encryption) {
      return new Texts(
          job,
          encryption.sealJson(EncryptionContext.payload(job, type), payload),
          encryption.sealProperties(
              EncryptionContext.properties(job, type), properties, encryption.currentKey()));
    }
  }

  /**
   * Locks those of the jobs that are to have another type, but for those that this application
   * cannot decrypt; gives what is encrypted of them.
   */
  private Map<Long, Optional<Texts>> decrypted(Collection<Long> ids, String type) {
    Map<Long, Optional<Texts>> texts = new TreeMap<>();
    List<Claims.Released> left = new ArrayList<>();
    Sql.rows(
            transactions.entityManager(),
            AdminSql.lockOfOtherType(),
            Function.identity(),
            ids.toArray(Long[]::new),
            type,
            WAITING,
            Encryption.JSON_PREFIX)
        .forEach(
            row -> {
              try {
                Texts clear = row.isNull(2) ? null : opened(row);
                texts.put(row.number(0), Optional.ofNullable(clear));
              } catch (EncryptedException e) {
                // It waits where it is.
                if (!row.isNull(6)) {
                  left.add(
                      new Claims.Released(row.text(4), row.text(1), row.integer(5), row.number(6)));
                }
              }
            });
    if (!left.isEmpty()) {
      transactions.afterCompletion(committed -> watch.restored(left));
    }
    return texts;
  }

  private Texts opened(Row row) {
    Encryption encryption = transactions.encryption();
    long id = row.number(0);
    String type = row.text(1);
    String properties = row.textOrNull(3);
    return new Texts(
        id,
        encryption.openJson(EncryptionContext.payload(id, type), row.text(2)),
        properties == null
            ? null
            : encryption.openJson(EncryptionContext.properties(id, type), properties));
  }

  private List<Changed> moved(String statement, @Nullable Object... parameters) {
    List<Row> rows =
        Sql.rows(transactions.entityManager(), statement, Function.identity(), parameters);
    List<Claims.Released> available = new ArrayList<>();
    for (Row row : rows) {
      if (!row.isNull(6)) {
        available.add(new Claims.Released(row.text(1), row.text(4), row.integer(5), row.number(6)));
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
   * Removes ended jobs and all that is kept about them; higher waves and groups that they hold go
   * on once the current transaction has committed.
   *
   * @return those that are gone; not those that others wait for
   */
  public List<Changed> delete(Collection<Long> ids) {
    return changed(AdminSql.delete(), (Object) ids.toArray(Long[]::new));
  }

  /**
   * Deletes what ended jobs were about: payloads, results, properties, texts of failures and log
   * lines; gives these jobs.
   */
  public List<Changed> erase(Collection<Long> ids) {
    return changed(AdminSql.erase(), (Object) ids.toArray(Long[]::new));
  }

  /** A job that waits for this ended one; null: none. */
  public @Nullable Long followerOf(long id) {
    return Sql.first(transactions.entityManager(), AdminSql.follower(), row -> row.number(0), id);
  }

  /** Whether a job has started that would have waited for this one, had that not ended badly. */
  public boolean overtaken(long id) {
    return Sql.first(transactions.entityManager(), AdminSql.overtaken(), row -> true, id) != null;
  }

  /** Ids of ended jobs; null: any. */
  public List<Long> ended(
      Collection<JobState> states,
      @Nullable String queue,
      @Nullable String type,
      int limit,
      QueueScope within) {
    return Sql.rows(
        transactions.entityManager(),
        AdminSql.ended(),
        row -> row.number(0),
        names(states),
        queue,
        type,
        limit,
        within.names(),
        within.others());
  }

  /** The live job that holds a unique key; null: none. */
  public @Nullable Long holderOf(String uniqueKey) {
    return Sql.first(
        transactions.entityManager(), AdminSql.holderOfKey(), row -> row.number(0), uniqueKey);
  }

  private static String[] names(Collection<JobState> states) {
    return states.stream().map(JobState::name).toArray(String[]::new);
  }
}
