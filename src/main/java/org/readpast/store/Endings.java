package org.readpast.store;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.Transition;
import org.readpast.sql.EndSql;
import org.readpast.sql.NextInGroupSql;
import org.readpast.sql.ReturnSql;

/** Ends attempts: every verb is fenced, and answers whether the job was still the caller's. */
public final class Endings {
  private final Transactions transactions;
  private final Predicate<String> keepsCompleted;
  private final Runnable awaitedEnd;
  private final EndWatch watch;

  /**
   * @param keepsCompleted whether the completed jobs of a queue are kept in the history
   * @param awaitedEnd called after the commit of an end for which other jobs may wait
   * @param watch hears of the ends that it wants to, after their commit
   */
  public Endings(
      Transactions transactions,
      Predicate<String> keepsCompleted,
      Runnable awaitedEnd,
      EndWatch watch) {
    this.transactions = transactions;
    this.keepsCompleted = keepsCompleted;
    this.awaitedEnd = awaitedEnd;
    this.watch = watch;
  }

  /** Gives the row of a statement that ends jobs: their ids, and whether others may wait. */
  private Row ended(String statement, @Nullable Object... parameters) {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), statement, Function.identity(), parameters),
        "what is put together of no rows is a row");
  }

  /** Tells, once it is committed, if others may wait for what has ended. */
  private Row awaited(Row ended) {
    if (ended.flag(1)) {
      transactions.afterCommit(awaitedEnd);
    }
    return ended;
  }

  private boolean kept(Ended ended) {
    return ended.state() != JobState.COMPLETED || keepsCompleted.test(ended.job().queue());
  }

  /**
   * Ends leased jobs by one statement.
   *
   * @param quiet whether the caller tells by himself that others may wait for these
   * @return ids of those that were still this node's
   */
  public Set<Long> endLeased(List<Ended> ended, int node, boolean quiet) {
    Row row =
        ended.stream().anyMatch(this::kept)
            ? endMany(EndSql.endLeased(), ended, node, followed(ended))
            : endPlainly(EndSql.endLeasedPlainly(), ended, node, followed(ended));
    return told(ended, (quiet ? row : awaited(row)).numbers(0));
  }

  /**
   * Ends leased jobs that are {@link Ended#plain}, by a statement that is made for those that are
   * all in batches, or none is: nearly all jobs, as a rule. Whoever is lost, was claimed more
   * often, or is in no batch and has followers, is left to {@link #endLeased}.
   *
   * @param quiet as for that
   * @return ids of those that it has ended
   */
  public Set<Long> completeAlike(List<Ended> ended, int node, boolean quiet) {
    Ended first = ended.stream().filter(Ended::plain).findFirst().orElse(null);
    if (first == null) {
      return Set.of();
    }
    int claimNo = first.job().claimNo();
    boolean inBatch = first.job().ordered();
    String queue = first.job().queue();
    boolean kept = kept(first);
    // Mostly all are of one queue: to ask for each whether it is kept takes longer than this.
    Predicate<Ended> alike = e -> e.job().queue().equals(queue) || kept(e) == kept;
    Long[] ids =
        ended.stream()
            .filter(e -> e.plain() && e.job().claimNo() == claimNo && e.job().ordered() == inBatch)
            .filter(alike)
            .map(e -> e.job().id())
            .toArray(Long[]::new);
    Row row = ended(EndSql.completeAlike(inBatch, kept), ids, claimNo, node);
    return told(ended, (quiet ? row : awaited(row)).numbers(0));
  }

  private static Object followed(List<Ended> ended) {
    return ended.stream().map(Ended::followed).toArray(Boolean[]::new);
  }

  /**
   * What has ended, and what follows.
   *
   * @param owned ids of those that were still this node's
   * @param next leased by the same statement: of each group one, and the others behind it
   */
  public record Continued(Set<Long> owned, List<ClaimedJob> next) {}

  /**
   * Ends leased jobs of one queue, and leases what is next in their groups, in one statement.
   *
   * @param allowed how long this node allows each
   * @param through a lease of which nothing is left with that; null: something is
   * @param most how many of each group
   */
  public Continued endLeasedAndLeaseNext(
      List<Ended> ended, int node, Duration allowed, @Nullable Long through, int most) {
    String queue = ended.get(0).job().queue();
    long millis = allowed.toMillis();
    Row row =
        ended.stream().anyMatch(this::kept)
            ? endMany(NextInGroupSql.endAndLeaseNext(), ended, node, millis, through, most)
            : endPlainly(
                NextInGroupSql.endAndLeaseNextPlainly(), ended, node, millis, through, most);
    Set<Long> owned = told(ended, awaited(row).numbers(0));
    return new Continued(owned, ClaimedJob.leasedInRuns(queue, row, 2));
  }

  private Row endMany(String statement, List<Ended> ended, int node, @Nullable Object... more) {
    List<@Nullable Object> parameters =
        new ArrayList<>(
            List.of(
                ids(ended),
                claimNos(ended),
                ended.stream().map(e -> e.state().name()).toArray(String[]::new),
                ended.stream().map(e -> micros(e.job().startedAt())).toArray(Long[]::new),
                node,
                ended.stream().map(this::kept).toArray(Boolean[]::new),
                node,
                ended.stream().map(Ended::result).toArray(String[]::new)));
    Collections.addAll(parameters, more);
    return ended(statement, parameters.toArray());
  }

  private Row endPlainly(String statement, List<Ended> ended, @Nullable Object... more) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(ids(ended), claimNos(ended)));
    Collections.addAll(parameters, more);
    return ended(statement, parameters.toArray());
  }

  private static Long[] ids(List<Ended> ended) {
    return ended.stream().map(e -> e.job().id()).toArray(Long[]::new);
  }

  private static Integer[] claimNos(List<Ended> ended) {
    return ended.stream().map(e -> e.job().claimNo()).toArray(Integer[]::new);
  }

  /** Ends a claim whose owner is lost. */
  public boolean discard(Upkeep.Lost claim, Failure failure) {
    boolean ended =
        !awaited(
                ended(
                    EndSql.endLeased(),
                    new Long[] {claim.id()},
                    new Integer[] {claim.claimNo()},
                    new String[] {JobState.DISCARDED.name()},
                    new Long[] {micros(claim.claimedAt())},
                    claim.owner(),
                    new Boolean[] {true},
                    null,
                    new String[] {null},
                    new Boolean[] {false}))
            .isNull(0);
    if (ended && watch.wants(JobState.DISCARDED)) {
      JobEvent event = claim.discarded(failure);
      transactions.afterCommit(() -> watch.ended(List.of(event)));
    }
    return ended;
  }

  /**
   * Tells of those that were still the caller's, once that is committed; nobody who wants to hear
   * of none pays more than the question.
   *
   * @return the ids, as a set
   */
  private Set<Long> told(List<Ended> ended, Collection<Long> ids) {
    Set<Long> owned = new HashSet<>(ids);
    List<JobEvent> events = null;
    for (Ended one : ended) {
      if (watch.wants(one.state()) && owned.contains(one.job().id())) {
        events = events == null ? new ArrayList<>() : events;
        events.add(one.event());
      }
    }
    if (events != null) {
      List<JobEvent> told = events;
      transactions.afterCommit(() -> watch.ended(told));
    }
    return owned;
  }

  /** Of a row of {@link EndSql#endWaiting()}. */
  public static JobEvent event(Row row, JobState state) {
    return new JobEvent(
        row.number(0),
        row.text(2),
        row.text(3),
        state,
        row.integer(4),
        row.textOrNull(5),
        row.textOrNull(6),
        row.textOrNull(7),
        null);
  }

  /**
   * Ends one job badly, inside the transaction that took it, or that works it after a cautious
   * claim; what is behind it waits for its turn again.
   */
  public boolean end(ClaimedJob job, JobState state, @Nullable Failure failure, int node) {
    giveBack(job.behind());
    return end(new Ended(job, state, null, failure), node);
  }

  /** The same for a job that is done. */
  public boolean complete(ClaimedJob job, @Nullable String result, int node) {
    return end(Ended.well(job, result), node);
  }

  /**
   * Ends jobs inside the transaction that took them, or that works one of them after a cautious
   * claim; false unless all were still this node's.
   */
  public boolean endAll(List<Ended> ended, int node) {
    if (ended.size() == 1) {
      return end(ended.get(0), node);
    }
    Set<Long> owned = new HashSet<>(endTakenPlainly(ended));
    List<Ended> others = Ended.without(ended, owned);
    if (!others.isEmpty()) {
      owned.addAll(awaited(endMany(EndSql.endTakenTogether(), others, node)).numbers(0));
    }
    return told(ended, owned).size() == ended.size();
  }

  private boolean end(Ended ended, int node) {
    ClaimedJob job = ended.job();
    if (job.leased()) {
      return !endLeased(List.of(ended), node, false).isEmpty();
    }
    // Mostly one of these is all. To have one statement cover the rest costs as much as a second.
    boolean done =
        job.gone()
            || !endTakenPlainly(List.of(ended)).isEmpty()
            || !awaited(
                    ended(
                        EndSql.endTaken(),
                        job.id(),
                        job.claimNo(),
                        ended.state().name(),
                        utc(job.startedAt()),
                        node,
                        kept(ended),
                        ended.result()))
                .isNull(0);
    if (done) {
      told(List.of(ended), Set.of(job.id()));
    }
    return done;
  }

  /** Tells of the end of a job that was ended when it was taken, if somebody waits for it now. */
  public void tellIfAwaited(ClaimedJob job) {
    if (Sql.first(
            transactions.entityManager(),
            EndSql.tellIfAwaited(),
            row -> true,
            job.id(),
            job.queue())
        != null) {
      transactions.afterCommit(awaitedEnd);
    }
  }

  /** Ends those that need nothing but to go, unless some of these jobs are kept. */
  private List<Long> endTakenPlainly(List<Ended> ended) {
    return ended.stream().anyMatch(this::kept)
        ? List.of()
        : Sql.rows(
            transactions.entityManager(),
            EndSql.endTakenPlainly(),
            row -> row.number(0),
            ids(ended),
            claimNos(ended));
  }

  /** Ends jobs that nobody works, as CANCELLED or EXPIRED; gives the ids of those it ended. */
  public List<Long> endWaiting(Collection<Long> ids, Transition transition) {
    List<Row> ended =
        Sql.rows(
            transactions.entityManager(),
            EndSql.endWaiting(),
            Function.identity(),
            ids.toArray(Long[]::new),
            transition.to().name(),
            transition.from().stream()
                .filter(s -> s != JobState.RUNNING)
                .map(Enum::name)
                .toArray(String[]::new));
    if (ended.stream().anyMatch(row -> row.flag(1))) {
      transactions.afterCommit(awaitedEnd);
    }
    if (!ended.isEmpty() && watch.wants(transition.to())) {
      List<JobEvent> events = ended.stream().map(row -> event(row, transition.to())).toList();
      transactions.afterCommit(() -> watch.ended(events));
    }
    return ended.stream().map(row -> row.number(0)).toList();
  }

  /** Puts a job back for another attempt; what is behind it waits for its turn again. */
  public boolean retry(ClaimedJob job, Duration pause, boolean counted) {
    giveBack(job.behind());
    return Sql.first(
            transactions.entityManager(),
            job.leased() ? ReturnSql.retryLeased() : ReturnSql.retryTaken(),
            row -> row.number(0),
            job.id(),
            job.claimNo(),
            pause.toMillis(),
            counted ? 0 : 1)
        != null;
  }

  /** Gives back jobs that were leased and not started. */
  public int giveBack(List<ClaimedJob> jobs) {
    return jobs.isEmpty()
        ? 0
        : giveBack(
            jobs.stream().map(ClaimedJob::id).toArray(Long[]::new),
            jobs.stream().map(ClaimedJob::claimNo).toArray(Integer[]::new));
  }

  /** Gives back leases that never arrived at their node. */
  public int giveBackLeases(List<Nodes.Lease> leases) {
    return giveBack(
        leases.stream().map(Nodes.Lease::id).toArray(Long[]::new),
        leases.stream().map(Nodes.Lease::claimNo).toArray(Integer[]::new));
  }

  private int giveBack(Long[] ids, Integer[] claimNos) {
    return returned(ReturnSql.giveBack(), ids, claimNos).size();
  }

  /** Frees lost claims; gives their queues. */
  public List<String> release(List<Upkeep.Release> releases) {
    return returned(
            ReturnSql.release(),
            releases.stream().map(r -> r.claim().id()).toArray(Long[]::new),
            releases.stream().map(r -> r.claim().claimNo()).toArray(Integer[]::new),
            releases.stream().map(r -> r.crash() ? 1 : 0).toArray(Integer[]::new),
            releases.stream().map(r -> r.uncounted() ? 1 : 0).toArray(Integer[]::new),
            releases.stream().map(r -> r.pause().toMillis()).toArray(Long[]::new))
        .stream()
        .map(row -> row.text(0))
        .toList();
  }

  private List<Row> returned(String statement, @Nullable Object... parameters) {
    List<Row> rows =
        Sql.rows(transactions.entityManager(), statement, Function.identity(), parameters);
    if (rows.stream().anyMatch(row -> row.flag(1))) {
      transactions.afterCommit(awaitedEnd);
    }
    return rows;
  }

  private static long micros(Instant moment) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
  }

  static OffsetDateTime utc(Instant moment) {
    return moment.atOffset(ZoneOffset.UTC);
  }
}
