package org.readpast.store;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.sql.ClaimSql;

/** Takes jobs, past rows that others have locked. */
public final class Claims {
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
        queue,
        types(lanes),
        priorities(lanes),
        marks(lanes),
        except.toArray(Long[]::new),
        node);
  }

  /** The same for several, the most urgent first. */
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
        queue,
        types(lanes),
        priorities(lanes),
        marks(lanes),
        except.toArray(Long[]::new),
        node,
        most);
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
        Sql.rows(
            transactions.entityManager(),
            withPermit ? ClaimSql.leaseWithPermit() : ClaimSql.lease(),
            row -> ClaimedJob.leased(queue, row),
            queue,
            types(lanes),
            priorities(lanes),
            marks(lanes),
            except.toArray(Long[]::new),
            node,
            most,
            allowed.toMillis());
    // UPDATE … RETURNING gives rows in the order of the heap.
    jobs.sort(
        Comparator.comparingInt(ClaimedJob::priority)
            .reversed()
            .thenComparingLong(ClaimedJob::position));
    return jobs;
  }

  /**
   * Turns a job that the current transaction has taken into a lease.
   *
   * @param cautious whether the work itself will be transactional
   */
  public ClaimedJob leaseTaken(ClaimedJob job, int node, Duration allowed, boolean cautious) {
    Integer claimNo =
        Sql.first(
            transactions.entityManager(),
            ClaimSql.leaseTaken(),
            row -> row.integer(0),
            job.id(),
            job.claimNo(),
            node,
            allowed.toMillis(),
            cautious);
    return job.asLease(Objects.requireNonNull(claimNo, "the row is locked by this transaction"));
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

  /** Whether this lease still owns the job. */
  public boolean owns(ClaimedJob job) {
    return Sql.first(
            transactions.entityManager(), ClaimSql.owned(), row -> true, job.id(), job.claimNo())
        != null;
  }

  /** All lanes of a type in a queue, from one mark on. */
  public record Range(String queue, String type, long mark) {}

  /** The queues that have something to claim in these ranges. */
  public List<String> queuesWithWork(Collection<Range> ranges) {
    return Sql.rows(
        transactions.entityManager(),
        ClaimSql.queuesWithWork(),
        row -> row.text(0),
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

  private static String[] types(List<Lane> lanes) {
    return lanes.stream().map(Lane::type).toArray(String[]::new);
  }

  private static Integer[] priorities(List<Lane> lanes) {
    return lanes.stream().map(Lane::priority).toArray(Integer[]::new);
  }

  private static Long[] marks(List<Lane> lanes) {
    return lanes.stream().map(Lane::mark).toArray(Long[]::new);
  }
}
