package org.readpast.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.sql.ClaimSql;

/** Takes jobs, past rows that others have locked. */
public final class Claims {
  /** As many as one claim may take. */
  public static final int MOST = ClaimSql.MOST;

  private final Transactions transactions;

  public Claims(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Takes one job in the current transaction, which is to end it; null when there is none.
   *
   * @param withPermit whether the queue has a limit over all nodes
   */
  public @Nullable ClaimedJob take(
      String queue, List<Lane> lanes, Collection<Long> except, int node, boolean withPermit) {
    return Sql.first(
        transactions.entityManager(),
        withPermit ? ClaimSql.takeWithPermit() : ClaimSql.take(),
        row -> ClaimedJob.taken(queue, row),
        parameters(queue, lanes, except, node));
  }

  /**
   * The same; ends it at once if it needs nothing but to go. Not for a queue whose completed jobs
   * are kept.
   */
  public List<ClaimedJob> takeAndEnd(
      String queue, List<Lane> lanes, Collection<Long> except, int node, boolean withPermit) {
    return Sql.rows(
        transactions.entityManager(),
        withPermit ? ClaimSql.takeAndEndWithPermit() : ClaimSql.takeAndEnd(),
        row -> ClaimedJob.taken(queue, row),
        parameters(queue, lanes, except, node));
  }

  /** Takes several as {@link #take} does one, the most urgent first. */
  public List<ClaimedJob> take(
      String queue,
      List<Lane> lanes,
      int most,
      Collection<Long> except,
      int node,
      boolean withPermit) {
    if (most == 1) {
      ClaimedJob job = take(queue, lanes, except, node, withPermit);
      return job == null ? List.of() : List.of(job);
    }
    return Sql.rows(
        transactions.entityManager(),
        withPermit ? ClaimSql.takeSomeWithPermit() : ClaimSql.takeSome(),
        row -> ClaimedJob.taken(queue, row),
        parameters(queue, lanes, except, node, most));
  }

  /**
   * Takes jobs and marks them RUNNING, the most urgent first.
   *
   * @param withPermit whether the queue has a limit over all nodes
   */
  public List<ClaimedJob> lease(
      String queue,
      List<Lane> lanes,
      int most,
      Collection<Long> except,
      int node,
      Duration allowed,
      boolean withPermit) {
    List<ClaimedJob> jobs =
        Objects.requireNonNull(
            Sql.first(
                transactions.entityManager(),
                withPermit ? ClaimSql.leaseWithPermit() : ClaimSql.lease(),
                row -> ClaimedJob.leased(queue, row, 0),
                parameters(queue, lanes, except, node, most, allowed.toMillis())),
            "what is put together of no rows is a row");
    // UPDATE … RETURNING gives rows in the order of the heap.
    jobs.sort(
        Comparator.comparingInt(ClaimedJob::priority)
            .reversed()
            .thenComparingLong(ClaimedJob::position));
    return jobs;
  }

  /**
   * Part of a wave, as far as it lies in one lane.
   *
   * @param after the ids of its jobs come after this one
   * @param before and before this one
   * @param fromTheEnd whether the last of them are taken first
   * @param most how many are taken at most
   */
  public record Stretch(
      SettlingWaves.Wave wave,
      String queue,
      String type,
      int priority,
      long after,
      long before,
      boolean fromTheEnd,
      int most) {}

  /** Takes jobs straight from a wave, if it is open, and marks them RUNNING; in order of ids. */
  public List<ClaimedJob> leaseFromWave(Stretch of, int node, Duration allowed) {
    List<ClaimedJob> jobs =
        Objects.requireNonNull(
            Sql.first(
                transactions.entityManager(),
                of.fromTheEnd() ? ClaimSql.leaseFromEndOfWave() : ClaimSql.leaseFromWave(),
                row -> ClaimedJob.leased(of.queue(), row, 0),
                of.queue(),
                of.type(),
                of.priority(),
                of.wave().batch(),
                of.wave().no(),
                node,
                of.most(),
                allowed.toMillis(),
                of.after(),
                of.before()),
            "what is put together of no rows is a row");
    jobs.sort(Comparator.comparingLong(ClaimedJob::id));
    return jobs;
  }

  /**
   * Turns a job that the current transaction has taken into a lease.
   *
   * @param cautious whether the work itself will be transactional
   */
  public ClaimedJob leaseTaken(ClaimedJob job, int node, Duration allowed, boolean cautious) {
    ClaimedJob leased =
        Sql.first(
            transactions.entityManager(),
            ClaimSql.leaseTaken(),
            row -> job.asLease(row.integer(0), row.number(1)),
            job.id(),
            job.claimNo(),
            node,
            allowed.toMillis(),
            cautious);
    return Objects.requireNonNull(leased, "the row is locked by this transaction");
  }

  /** Marks the current transaction as this node's work; gives the database backend that runs it. */
  public int markWork(int node) {
    Integer backend =
        Sql.first(transactions.entityManager(), ClaimSql.markWork(), row -> row.integer(0), node);
    return backend == null ? 0 : backend;
  }

  /**
   * Records whether nothing else is in work on the owner; false when the job is no longer this
   * claim's.
   */
  public boolean markAlone(ClaimedJob job, boolean alone) {
    return Sql.change(
            transactions.entityManager(), ClaimSql.markAlone(), job.id(), job.claimNo(), alone)
        > 0;
  }

  /** Gives a leased job so much more time before it is taken over as late. */
  public int postpone(ClaimedJob job, Duration time) {
    return Sql.change(
        transactions.entityManager(),
        ClaimSql.postpone(),
        job.id(),
        job.claimNo(),
        time.toMillis());
  }

  /** Whether this lease still owns the job. */
  public boolean owns(ClaimedJob job) {
    return Sql.first(
            transactions.entityManager(), ClaimSql.owned(), row -> true, job.id(), job.claimNo())
        != null;
  }

  /** All lanes of a type in a queue, from one mark on. */
  public record Range(String queue, String type, long mark) {}

  /**
   * What there is to be done.
   *
   * @param nextDue until the next scheduled job is due; null: none is scheduled
   * @param unsettled whether there may be something to settle
   * @param queues that have something to claim
   */
  public record Look(@Nullable Duration nextDue, boolean unsettled, List<String> queues) {}

  /** Looks for all at once, for something to claim in these ranges. */
  public Look look(Collection<Range> ranges) {
    List<Looked> found = looked(ranges);
    Looked first = found.stream().filter(row -> row.queue() == null).findFirst().orElseThrow();
    return new Look(
        first.nextDue(),
        first.unsettled(),
        found.stream().map(Looked::queue).filter(Objects::nonNull).toList());
  }

  private record Looked(@Nullable String queue, @Nullable Duration nextDue, boolean unsettled) {}

  private List<Looked> looked(Collection<Range> ranges) {
    return Sql.rows(
        transactions.entityManager(),
        ClaimSql.look(),
        row ->
            new Looked(
                row.textOrNull(0),
                row.numberOrNull(1) == null ? null : Duration.ofMillis(row.number(1)),
                row.textOrNull(0) == null && row.flag(2)),
        ranges.stream().map(Range::queue).toArray(String[]::new),
        ranges.stream().map(Range::type).toArray(String[]::new),
        ranges.stream().map(Range::mark).toArray(Long[]::new));
  }

  /** The types that a queue has jobs of to claim. */
  public List<String> typesWithWork(String queue) {
    return Sql.rows(
        transactions.entityManager(), ClaimSql.typesWithWork(), row -> row.text(0), queue);
  }

  /** Whether each statement of the current transaction sees what was committed before it. */
  public boolean seesCommits() {
    return "read committed"
        .equals(Sql.first(transactions.entityManager(), ClaimSql.isolation(), row -> row.text(0)));
  }

  /** The last position that any transaction has drawn. */
  public long lastPosition() {
    Long last =
        Sql.first(transactions.entityManager(), ClaimSql.lastPosition(), row -> row.number(0));
    return last == null ? 0 : last;
  }

  /** The transactions still open that may have drawn positions. */
  public Set<String> openWriters() {
    return Set.copyOf(
        Sql.rows(transactions.entityManager(), ClaimSql.openWriters(), row -> row.text(0)));
  }

  private static Object[] parameters(
      String queue, List<Lane> lanes, Collection<Long> except, int node, Object... more) {
    List<Object> all = new ArrayList<>(8);
    all.add(queue);
    all.add(lanes.stream().map(Lane::type).toArray(String[]::new));
    all.add(lanes.stream().map(Lane::priority).toArray(Integer[]::new));
    all.add(lanes.stream().map(Lane::mark).toArray(Long[]::new));
    all.add(except.toArray(Long[]::new));
    all.add(node);
    all.addAll(List.of(more));
    return all.toArray();
  }
}
