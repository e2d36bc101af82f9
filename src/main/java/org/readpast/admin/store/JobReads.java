package org.readpast.admin.store;

import jakarta.persistence.EntityManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ReadSql;
import org.readpast.api.JobSelection;
import org.readpast.api.JobState;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueScope;
import org.readpast.model.StoredType;

/** Reads jobs of the visible queues, in the current transaction, without locking them. */
public final class JobReads {
  private static final int LOG_LINES = 1_000;
  // A handler that polls every second with retryLater leaves 86,400 failed attempts a day.
  private static final int FAILED_ATTEMPTS = 100;
  private static final int MOST_PREDECESSORS = 1_000;

  private final Transactions transactions;
  private final QueueScope seen;

  public JobReads(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
  }

  /** Returns a live or ended job, or null if it does not exist. */
  public @Nullable JobView find(long id) {
    return Sql.first(
        transactions.entityManager(),
        ReadSql.job(),
        row -> JobView.withPayload(row, transactions.encryption()),
        id,
        seen.names(),
        seen.others());
  }

  /** Holds the queue and the state of a job. */
  public record Summary(String queue, JobState state) {}

  /** Returns the queue and the state of a job, or null if it does not exist. */
  public @Nullable Summary summary(long id) {
    return Sql.first(
        transactions.entityManager(),
        ReadSql.summary(),
        row -> new Summary(row.text(0), JobState.valueOf(row.text(1))),
        id,
        seen.names(),
        seen.others());
  }

  /** Returns the queues of the jobs that exist in visible queues. */
  public Map<Long, String> queuesOf(Collection<Long> ids) {
    Map<Long, String> queues = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        ReadSql.queuesOf(),
        row -> queues.put(row.number(0), row.text(1)),
        ids.toArray(Long[]::new),
        seen.names(),
        seen.others());
    return queues;
  }

  /**
   * Returns a job and what is stored about it, with the last attempts and log lines, or null if it
   * does not exist.
   */
  public @Nullable JobDetails details(long id) {
    JobView job = find(id);
    if (job == null) {
      return null;
    }
    EntityManager em = transactions.entityManager();
    return new JobDetails(
        job,
        attempts(job),
        Sql.first(em, ReadSql.cancellation(), row -> true, id) != null,
        Sql.first(
            em,
            ReadSql.progress(),
            row -> new JobDetails.Progress(row.number(0), row.number(1), row.moment(2)),
            id),
        awaited(id),
        Sql.rows(
            em,
            ReadSql.log(),
            row -> new JobDetails.LogLine(row.integer(0), row.moment(1), line(id, row.text(2))),
            id,
            LOG_LINES),
        List.of());
  }

  private String line(long job, String stored) {
    return Objects.requireNonNull(
        transactions.encryption().shownText(EncryptionContext.log(job), stored));
  }

  /** Returns a job that this transaction has just enqueued. */
  public JobDetails enqueued(long id) {
    JobView job = Objects.requireNonNull(find(id));
    return new JobDetails(job, List.of(), false, null, awaited(id), List.of(), List.of());
  }

  private List<JobDetails.Predecessor> awaited(long id) {
    return Sql.rows(
        transactions.entityManager(),
        ReadSql.predecessors(),
        row ->
            new JobDetails.Predecessor(
                row.number(0), row.isNull(1) ? null : JobState.valueOf(row.text(1))),
        id,
        MOST_PREDECESSORS,
        seen.names(),
        seen.others());
  }

  /** Returns matching live jobs of a queue, oldest first, with their payloads. */
  public List<JobView> browse(String queue, JobSelection selection, @Nullable String properties) {
    JobState state = selection.state();
    return Sql.rows(
        transactions.entityManager(),
        ReadSql.browse(),
        row -> JobView.withPayload(row, transactions.encryption()),
        queue,
        selection.types().isEmpty() ? null : selection.types().toArray(String[]::new),
        state == null ? null : state.name(),
        selection.correlationId(),
        properties,
        selection.startAfter(),
        selection.limit());
  }

  /**
   * Returns the job types that no engine has ever registered; a type with a version must be
   * registered in that version.
   */
  public Set<String> unknownAmong(Collection<String> types) {
    return unknownAmong(types, new HashMap<>());
  }

  /**
   * Returns the job types that no engine has ever registered.
   *
   * @param oldest receives the types without a version that are registered only in other versions
   *     than the first, each with the oldest registered version
   */
  public Set<String> unknownAmong(Collection<String> types, Map<String, String> oldest) {
    Set<StoredType> known = new TreeSet<>();
    Sql.rows(
        transactions.entityManager(),
        ReadSql.typesAmong(),
        row -> known.add(StoredType.of(row.text(0))),
        (Object) types.stream().map(StoredType::nameOf).distinct().toArray(String[]::new));
    Set<String> unknown = new HashSet<>();
    for (String type : types) {
      if (StoredType.isVersioned(type)) {
        if (!known.contains(StoredType.of(type))) {
          unknown.add(type);
        }
        continue;
      }
      StoredType first =
          known.stream().filter(one -> one.name().equals(type)).findFirst().orElse(null);
      if (first == null) {
        unknown.add(type);
      } else if (first.version() > 1) {
        oldest.put(type, first.stored());
      }
    }
    return unknown;
  }

  /** Returns every type that an engine has registered, ordered by name. */
  public List<String> types() {
    return Sql.rows(transactions.entityManager(), ReadSql.types(), row -> row.text(0));
  }

  private List<AttemptView> attempts(JobView job) {
    List<AttemptView> attempts =
        new ArrayList<>(
            Sql.rows(
                transactions.entityManager(),
                ReadSql.failures(),
                row -> AttemptView.failed(row, job.id(), transactions.encryption()),
                job.id(),
                FAILED_ATTEMPTS));
    // The table contains failed attempts only, so a running or successful attempt is added here.
    if (job.state() == JobState.RUNNING || job.state() == JobState.COMPLETED) {
      attempts.add(AttemptView.latest(job));
    }
    return attempts;
  }
}
