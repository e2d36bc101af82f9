package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
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
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;
import org.readpast.model.RetentionRules;
import org.readpast.model.StoredType;
import org.readpast.model.Transition;
import org.readpast.sql.EndSql;
import org.readpast.sql.NextInGroupSql;

/** Ends jobs. Jobs that a node holds are fenced by their claim numbers. */
public final class JobEndStore {
  private final Transactions transactions;
  private final Runnable awaitedEnd;
  private final ReleaseStore releases;
  private final JobEndListener listener;

  /**
   * @param awaitedEnd called after the commit of an end that other jobs may wait for
   * @param releases releases jobs whose predecessor in a group did not succeed, and is notified of
   *     jobs that are available again after a rollback
   * @param listener determines how long jobs are kept, and is notified, after the commit, of the
   *     ends that it selects
   */
  public JobEndStore(
      Transactions transactions,
      Runnable awaitedEnd,
      ReleaseStore releases,
      JobEndListener listener) {
    this.transactions = transactions;
    this.awaitedEnd = awaitedEnd;
    this.releases = releases;
    this.listener = listener;
  }

  /**
   * Executes a statement that ends jobs, and returns its row: their ids, and true if other jobs may
   * wait for the ended jobs.
   */
  private Row ended(String statement, @Nullable Object... parameters) {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), statement, Function.identity(), parameters),
        "an aggregate query returned no row");
  }

  /** Reports the ends after the commit if other jobs may wait for the ended jobs. */
  private Row wakeResolverAfterCommit(Row ended) {
    if (ended.flag(1)) {
      transactions.afterCommit(awaitedEnd);
    }
    return ended;
  }

  private long keep(EndedJob ended) {
    return listener.retention().millis(ended.state(), ended.job().queue(), ended.job().type());
  }

  /**
   * Ends leased jobs with a single statement.
   *
   * @param deferWakeUp true if the caller reports later that other jobs may wait for the ended jobs
   * @return the ids of the jobs that this node still owned
   */
  public Set<Long> endLeased(List<EndedJob> ended, int node, boolean deferWakeUp) {
    Row row =
        ended.stream().anyMatch(one -> keep(one) != 0)
            ? endMany(EndSql.endLeased(), ended, node, continuesGroup(ended))
            : endWithoutHistory(EndSql.endLeasedWithoutHistory(), ended, continuesGroup(ended));
    return notifyListener(ended, (deferWakeUp ? row : wakeResolverAfterCommit(row)).numbers(0));
  }

  /**
   * Ends leased jobs that are {@link EndedJob#isSimpleSuccess} and alike, as is usual: they have
   * the same claim number and retention. The method does not end jobs that were taken over, that
   * differ, or that have followers outside a batch; pass these to {@link #endLeased}.
   *
   * @param deferWakeUp true if the caller reports later that other jobs may wait for the ended jobs
   * @return the ids of the jobs that it has ended
   */
  public Set<Long> completeAlike(List<EndedJob> ended, boolean deferWakeUp) {
    EndedJob first = ended.stream().filter(EndedJob::isSimpleSuccess).findFirst().orElse(null);
    if (first == null) {
      return Set.of();
    }
    int claimNo = first.job().claimNo();
    long keep = keep(first);
    Long[] ids = ids(ended.stream().filter(one -> alike(one, first, keep)).toList());
    Row row =
        keep == 0
            ? ended(EndSql.completeAlike(false), ids, claimNo)
            : ended(EndSql.completeAlike(true), ids, claimNo, keep);
    return notifyListener(ended, (deferWakeUp ? row : wakeResolverAfterCommit(row)).numbers(0));
  }

  // Comparing the type and the queue is faster than looking up the retention, and usually all jobs
  // have the same type and queue.
  private boolean alike(EndedJob one, EndedJob first, long keep) {
    ClaimedJob job = one.job();
    return one.isSimpleSuccess()
        && job.claimNo() == first.job().claimNo()
        && (job.type().equals(first.job().type()) && job.queue().equals(first.job().queue())
            || keep(one) == keep);
  }

  /**
   * Ends a leased job that is an {@link EndedJob#isSimpleSuccess}. Returns false if it has not
   * ended, because it was taken over, is in a batch or has followers; pass it to {@link
   * #endLeased}.
   */
  private boolean completeOne(EndedJob ended) {
    EntityManager em = transactions.entityManager();
    ClaimedJob job = ended.job();
    long keep = keep(ended);
    int changed =
        keep == 0
            ? Sql.change(em, EndSql.completeOne(false), job.id(), job.claimNo())
            : Sql.change(em, EndSql.completeOne(true), job.id(), job.claimNo(), keep);
    if (changed == 1) {
      notifyListener(List.of(ended), List.of(job.id()));
    }
    return changed == 1;
  }

  private static Object continuesGroup(List<EndedJob> ended) {
    return ended.stream().map(EndedJob::continuesGroup).toArray(Boolean[]::new);
  }

  /**
   * Holds the ended jobs, and the next jobs of their groups.
   *
   * @param owned the ids of the ended jobs that this node still owned
   * @param next the jobs that the same statement has leased: one for each group, with the others
   *     behind it
   */
  public record Continued(Set<Long> owned, List<ClaimedJob> next) {}

  /**
   * Ends leased jobs of one queue, and leases the next jobs of their groups, in one statement.
   *
   * @param allowed the time that this node allows for each job
   * @param emptyLease a lease that has no jobs left after this statement, or null
   * @param most the maximum number of jobs of each group
   * @param bytes the maximum total size of payloads and properties of the next jobs
   */
  public Continued endLeasedAndLeaseNext(
      List<EndedJob> ended,
      int node,
      Duration allowed,
      @Nullable Long emptyLease,
      int most,
      long bytes) {
    String queue = ended.get(0).job().queue();
    @Nullable Object[] lease = {node, allowed.toMillis(), emptyLease, most, bytes};
    Row row =
        ended.stream().anyMatch(one -> keep(one) != 0)
            ? endMany(NextInGroupSql.endAndLeaseNext(), ended, node, lease)
            : endWithoutHistory(NextInGroupSql.endAndLeaseNextWithoutHistory(), ended, lease);
    Set<Long> owned = notifyListener(ended, wakeResolverAfterCommit(row).numbers(0));
    return new Continued(owned, ClaimedJob.leasedInRuns(queue, row, 2, transactions.encryption()));
  }

  private Row endMany(String statement, List<EndedJob> ended, int node, @Nullable Object... more) {
    List<@Nullable Object> parameters =
        new ArrayList<>(
            List.of(
                ids(ended),
                claimNos(ended),
                ended.stream().map(e -> e.state().name()).toArray(String[]::new),
                ended.stream()
                    .map(e -> e.started() ? micros(e.job().startedAt()) : null)
                    .toArray(Long[]::new),
                node,
                ended.stream().map(this::keep).toArray(Long[]::new),
                ended.stream().map(this::result).toArray(String[]::new)));
    Collections.addAll(parameters, more);
    return ended(statement, parameters.toArray());
  }

  private @Nullable String result(EndedJob ended) {
    String result = ended.result();
    return result == null
        ? null
        : transactions
            .encryption()
            .sealJson(EncryptionContext.result(ended.job().id(), ended.job().type()), result);
  }

  private Row endWithoutHistory(String statement, List<EndedJob> ended, @Nullable Object... more) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(ids(ended), claimNos(ended)));
    Collections.addAll(parameters, more);
    return ended(statement, parameters.toArray());
  }

  private static Long[] ids(List<EndedJob> ended) {
    return ended.stream().map(e -> e.job().id()).toArray(Long[]::new);
  }

  private static Integer[] claimNos(List<EndedJob> ended) {
    return ended.stream().map(e -> e.job().claimNo()).toArray(Integer[]::new);
  }

  /** Discards a job whose owner is lost, and returns true if the claim number still matched. */
  public boolean discard(MaintenanceStore.LostOrOverdueClaim claim, Failure failure) {
    boolean ended =
        !wakeResolverAfterCommit(
                ended(
                    EndSql.endLeased(),
                    new Long[] {claim.id()},
                    new Integer[] {claim.claimNo()},
                    new String[] {JobState.DISCARDED.name()},
                    new Long[] {micros(claim.claimedAt())},
                    claim.owner(),
                    new Long[] {
                      listener.retention().millis(JobState.DISCARDED, claim.queue(), claim.type())
                    },
                    new String[] {null},
                    new Boolean[] {false}))
            .isNull(0);
    if (ended && listener.wants(JobState.DISCARDED, claim.queue(), claim.type())) {
      JobEnd end = claim.discarded(failure);
      transactions.afterCommit(() -> listener.ended(List.of(end)));
    }
    return ended;
  }

  /**
   * Notifies the {@code listener}, after the commit, that the jobs that the caller still owned have
   * ended. Returns the ids as a set.
   */
  private Set<Long> notifyListener(List<EndedJob> ended, Collection<Long> ids) {
    Set<Long> owned = new HashSet<>(ids);
    List<JobEnd> ends =
        ended.stream()
            .filter(one -> listener.wants(one.state(), one.job().queue(), one.job().type()))
            .filter(one -> owned.contains(one.job().id()))
            .map(EndedJob::end)
            .toList();
    if (!ends.isEmpty()) {
      transactions.afterCommit(() -> listener.ended(ends));
    }
    return owned;
  }

  /** Returns the lanes of the rows of {@link EndSql#endWaiting()} whose jobs were AVAILABLE. */
  public static List<Claims.ReopenedLane> available(List<Row> ended) {
    return ended.stream()
        .filter(row -> !row.isNull(10))
        .map(
            row ->
                new Claims.ReopenedLane(row.text(2), row.text(3), row.integer(9), row.number(10)))
        .toList();
  }

  /** Notifies the {@code listener} of rows of {@link EndSql#endWaiting()}, after the commit. */
  public static void notify(
      JobEndListener listener, Transactions transactions, List<Row> ended, JobState state) {
    List<JobEnd> ends =
        ended.stream()
            .filter(row -> listener.wants(state, row.text(2), row.text(3)))
            .map(row -> end(row, state, transactions.encryption()))
            .toList();
    if (!ends.isEmpty()) {
      transactions.afterCommit(() -> listener.ended(ends));
    }
  }

  private static JobEnd end(Row row, JobState state, Encryption encryption) {
    return new JobEnd(
        row.number(0),
        row.text(2),
        StoredType.nameOf(row.text(3)),
        state,
        row.integer(4),
        row.textOrNull(5),
        row.textOrNull(6),
        row.textOrNull(7),
        null,
        row.textOrNull(11),
        row.numberOrNull(12),
        encryption.shownJson(
            EncryptionContext.properties(row.number(0), row.text(3)), row.textOrNull(13)));
  }

  /**
   * Ends leased jobs with statements that commit by themselves; usually one statement suffices.
   *
   * @param deferWakeUp true if the caller reports later that other jobs may wait for the ended jobs
   * @param owned receives the ids of the jobs that this node still owned, even if a later statement
   *     fails
   */
  public void endAll(List<EndedJob> ended, int node, boolean deferWakeUp, Set<Long> owned) {
    if (ended.stream().anyMatch(EndedJob::isSimpleSuccess)) {
      owned.addAll(transactions.autoCommit(() -> completeAlike(ended, deferWakeUp)));
    }
    List<EndedJob> remaining = EndedJob.without(ended, owned);
    if (!remaining.isEmpty()) {
      owned.addAll(transactions.autoCommit(() -> endLeased(remaining, node, deferWakeUp)));
    }
  }

  /**
   * Ends leased jobs in the current transaction. The caller must roll back the transaction unless
   * this node still owned all of the jobs.
   *
   * @return the jobs that this node no longer owned
   */
  public List<EndedJob> endInTransaction(List<EndedJob> ended, int node) {
    boolean one = ended.size() == 1 && ended.get(0).job().batch() == null;
    if (one && ended.get(0).isSimpleSuccess() && completeOne(ended.get(0))) {
      return List.of();
    }
    Set<Long> owned = one ? Set.of() : completeAlike(ended, false);
    List<EndedJob> remaining = EndedJob.without(ended, owned);
    return remaining.isEmpty()
        ? remaining
        : EndedJob.without(remaining, endLeased(remaining, node, false));
  }

  /** Ends one failed or cancelled job. The jobs behind the given job wait for their group again. */
  public boolean end(ClaimedJob job, JobState state, @Nullable Failure failure, int node) {
    releases.releaseUnstarted(job.nextInGroup());
    return !endLeased(List.of(new EndedJob(job, state, null, failure)), node, false).isEmpty();
  }

  /**
   * Ends jobs that are not running, as CANCELLED or EXPIRED. Returns the ids of the jobs that have
   * ended.
   */
  public List<Long> endWaiting(Collection<Long> ids, Transition transition) {
    List<Row> ended =
        Sql.rows(
            transactions.entityManager(),
            EndSql.endWaiting(),
            Function.identity(),
            waiting(ids, transition, listener.retention()));
    if (ended.stream().anyMatch(row -> row.flag(1))) {
      transactions.afterCommit(awaitedEnd);
    }
    List<Claims.ReopenedLane> available = available(ended);
    if (!available.isEmpty()) {
      transactions.afterCompletion(
          committed -> {
            if (!committed) {
              releases.restored(available);
            }
          });
    }
    notify(listener, transactions, ended, transition.to());
    return ended.stream().map(row -> row.number(0)).toList();
  }

  /** Returns the parameters of {@link EndSql#endWaiting()}. */
  public static Object[] waiting(
      Collection<Long> ids, Transition transition, RetentionRules rules) {
    JobState to = transition.to();
    Map<String, Duration> types = rules.types(to);
    Map<String, Duration> queues = rules.queues(to);
    return new Object[] {
      ids.toArray(Long[]::new),
      to.name(),
      transition.from().stream()
          .filter(state -> state != JobState.RUNNING)
          .map(Enum::name)
          .toArray(String[]::new),
      types.keySet().toArray(String[]::new),
      types.values().stream().map(Duration::toMillis).toArray(Long[]::new),
      queues.keySet().toArray(String[]::new),
      queues.values().stream().map(Duration::toMillis).toArray(Long[]::new),
      rules.usual(to).toMillis()
    };
  }

  private static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }
}
