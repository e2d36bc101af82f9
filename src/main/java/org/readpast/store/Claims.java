package org.readpast.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Encryption;
import org.readpast.sql.ClaimSql;
import org.readpast.store.TypeLimitStore.SkippedTypes;

/** Leases jobs, to run them on this node. Rows that other transactions have locked are skipped. */
public final class Claims {
  /** Limits the number of jobs that one claim can take. */
  public static final int MOST = ClaimSql.MOST;

  private final Transactions transactions;
  private final TypeLimitStore typeLimits;

  public Claims(Transactions transactions) {
    this.transactions = transactions;
    this.typeLimits = new TypeLimitStore(transactions);
  }

  /**
   * Holds the limits of a claim.
   *
   * @param jobs the maximum number of jobs
   * @param bytes the maximum total size of payloads and properties; a single job may exceed it
   * @param work the maximum total time that the jobs are expected to take; a single job may exceed
   *     it
   * @param allowed the time that this node allows for each job
   * @param mayBeLost types whose leases may be lost in a crash of the database. If a claim finds
   *     only jobs of the given types, its commit does not wait for the disk, which takes up to half
   *     of the time from an enqueue to the start. Intended for jobs that end in a transaction,
   *     which a crash of the database also undoes
   */
  public record ClaimBounds(
      int jobs, long bytes, Duration work, Duration allowed, Collection<String> mayBeLost) {
    private ClaimBounds one() {
      return new ClaimBounds(1, bytes, work, allowed, mayBeLost);
    }
  }

  /**
   * Holds the result of a claim.
   *
   * @param cut the first job of each lane that the claim locked but did not lease because of a
   *     limit
   * @param limitReached true if the queue's limit across all nodes allows no more jobs
   * @param queueLocked true if the limit was only assumed to be reached, because another
   *     transaction had locked it
   * @param skippedTypes types whose limits across all nodes allow no more jobs, so that the claim
   *     skipped their lanes
   * @param more true if the claim skipped lanes that have jobs, because a job of a type with a
   *     limit across all nodes is leased alone
   */
  public record Leased(
      List<ClaimedJob> jobs,
      List<ReopenedLane> cut,
      boolean limitReached,
      boolean queueLocked,
      SkippedTypes skippedTypes,
      boolean more) {
    /** Reports that no job was found and that no limit has been reached. */
    public static final Leased NOTHING =
        new Leased(List.of(), List.of(), false, false, SkippedTypes.NONE, false);

    private static final Leased LOCKED =
        new Leased(List.of(), List.of(), true, true, SkippedTypes.NONE, false);

    private static Leased read(String queue, Row row, Encryption encryption) {
      List<ReopenedLane> cut = new ArrayList<>();
      for (String lane : row.texts(2)) {
        String[] parts = lane.split(":");
        cut.add(
            new ReopenedLane(
                queue, parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
      }
      List<ClaimedJob> jobs = ClaimedJob.leased(queue, row, 0, encryption);
      return new Leased(jobs, cut, row.flag(3), false, SkippedTypes.NONE, false);
    }

    private Leased with(SkippedTypes newSkippedTypes, boolean newMore) {
      return new Leased(jobs, cut, limitReached, queueLocked, newSkippedTypes, newMore);
    }

    /**
     * Returns true if other transactions have locked limits, so that the claim should be tried
     * again.
     */
    public boolean contended() {
      return queueLocked || !skippedTypes.locked().isEmpty();
    }

    /** Returns the result with its jobs in the order of the lanes. */
    private Leased inOrder(List<Lane> lanes) {
      // PostgreSQL returns the updated rows in no particular order.
      if (jobs.size() > 1) {
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < lanes.size(); place++) {
          places.put(lanes.get(place).priority() + lanes.get(place).type(), place);
        }
        jobs.sort(
            Comparator.comparingInt(
                    (ClaimedJob job) -> places.getOrDefault(job.priority() + job.type(), 0))
                .thenComparingLong(ClaimedJob::position));
      }
      return this;
    }
  }

  /**
   * Leases jobs with a statement that commits by itself. The jobs must be in the order of the
   * lanes.
   */
  public Leased lease(String queue, List<Lane> lanes, ClaimBounds bounds, int node) {
    return transactions
        .autoCommit(() -> lease(ClaimSql.lease(), queue, lanes, bounds, node, null))
        .inOrder(lanes);
  }

  /**
   * Holds the limits across all nodes that apply to a claim.
   *
   * @param queue the maximum number of jobs of the queue, or null if there is no limit
   * @param types the limited types of lanes in stored form, each with the type whose limit applies
   */
  public record GlobalLimits(@Nullable Integer queue, Map<String, String> types) {
    /** Returns true if no limit applies. */
    public boolean none() {
      return queue == null && types.isEmpty();
    }
  }

  /**
   * Leases jobs under limits across all nodes, in a short transaction that locks the limits. Jobs
   * of limited types are leased one at a time. If another transaction has locked a limit, the claim
   * treats the limit as reached, so that claims never wait for a node that has frozen.
   */
  public Leased leaseWithin(
      GlobalLimits limits, String queue, List<Lane> lanes, ClaimBounds bounds, int node) {
    return transactions
        .requiresNew(() -> within(limits, queue, lanes, bounds, node))
        .inOrder(lanes);
  }

  private Leased within(
      GlobalLimits limits, String queue, List<Lane> lanes, ClaimBounds bounds, int node) {
    EntityManager em = transactions.entityManager();
    Integer ofQueue = limits.queue();
    if (ofQueue != null && Sql.first(em, ClaimSql.lockQueue(), row -> true, queue) == null) {
      return Leased.LOCKED;
    }
    if (limits.types().isEmpty()) {
      return lease(ClaimSql.leaseUpToLimit(), queue, lanes, bounds, node, ofQueue);
    }
    TypeLimitStore.OpenLanes open = typeLimits.open(queue, lanes, limits.types());
    String statement = ofQueue == null ? ClaimSql.lease() : ClaimSql.leaseUpToLimit();
    Leased leased = Leased.NOTHING;
    boolean more = false;
    for (Iterator<List<Lane>> parts = open.parts().iterator();
        parts.hasNext() && leased.jobs().isEmpty() && !leased.limitReached(); ) {
      List<Lane> part = parts.next();
      String limited = limits.types().get(part.get(0).type());
      leased =
          lease(statement, queue, part, limited == null ? bounds : bounds.one(), node, ofQueue);
      more = !leased.jobs().isEmpty() && (limited != null || parts.hasNext());
      if (limited != null && more) {
        typeLimits.count(leased.jobs().get(0).lease(), limited);
      }
    }
    return leased.with(open.skippedTypes(), more);
  }

  private Leased lease(
      String statement,
      String queue,
      List<Lane> lanes,
      ClaimBounds bounds,
      int node,
      @Nullable Integer limit) {
    List<Object> parameters =
        new ArrayList<>(
            List.of(
                queue,
                lanes.stream().map(Lane::type).toArray(String[]::new),
                lanes.stream().map(Lane::priority).toArray(Integer[]::new),
                lanes.stream().map(Lane::mark).toArray(Long[]::new),
                lanes.stream().map(Lane::micros).toArray(Long[]::new),
                node,
                bounds.jobs(),
                bounds.allowed().toMillis(),
                bounds.bytes(),
                bounds.work().toNanos() / 1_000));
    parameters.add(limit != null ? limit : bounds.mayBeLost().toArray(String[]::new));
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            statement,
            row -> Leased.read(queue, row, transactions.encryption()),
            parameters.toArray()),
        "an aggregate query returned no row");
  }

  /**
   * Specifies a range of one wave, within one lane.
   *
   * @param after the id after which the range begins
   * @param before the id before which the range ends
   * @param fromTheEnd true to take the jobs with the highest ids first
   * @param most the maximum number of jobs to take
   */
  public record WaveRange(
      Wave wave,
      String queue,
      String type,
      int priority,
      long after,
      long before,
      boolean fromTheEnd,
      int most) {}

  /**
   * Leases jobs directly from a wave if it is open, with a statement that commits by itself. The
   * jobs are in ascending order of their ids, or in descending order if they are taken from the
   * end.
   */
  public List<ClaimedJob> leaseFromWave(WaveRange range, int node, long bytes, Duration allowed) {
    List<ClaimedJob> jobs = transactions.autoCommit(() -> fromWave(range, node, bytes, allowed));
    jobs.sort(
        range.fromTheEnd()
            ? Comparator.comparingLong(ClaimedJob::id).reversed()
            : Comparator.comparingLong(ClaimedJob::id));
    return jobs;
  }

  private List<ClaimedJob> fromWave(WaveRange range, int node, long bytes, Duration allowed) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            range.fromTheEnd() ? ClaimSql.leaseFromEndOfWave() : ClaimSql.leaseFromWave(),
            row -> ClaimedJob.leased(range.queue(), row, 0, transactions.encryption()),
            range.queue(),
            range.type(),
            range.priority(),
            range.wave().batch(),
            range.wave().no(),
            node,
            range.most(),
            allowed.toMillis(),
            range.after(),
            range.before(),
            bytes),
        "an aggregate query returned no row");
  }

  /**
   * Records that the job's handler is about to start. Returns false if this claim no longer owns
   * the job.
   */
  public boolean recordStart(ClaimedJob job) {
    return transactions.autoCommit(
        () ->
            Sql.first(
                    transactions.entityManager(),
                    ClaimSql.recordStart(),
                    row -> true,
                    job.lease(),
                    job.id(),
                    job.claimNo())
                != null);
  }

  /**
   * Makes the database end the session of the current transaction after it has been idle for a long
   * time.
   */
  public void limitIdleTime() {
    Sql.first(transactions.entityManager(), ClaimSql.limitIdleTime(), row -> true);
  }

  /** Returns the process id of the database session of the current transaction. */
  public int backend() {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), ClaimSql.backend(), row -> row.integer(0)));
  }

  /** Returns true if this claim still owns the job. */
  public boolean owns(ClaimedJob job) {
    return Sql.first(
            transactions.entityManager(), ClaimSql.owned(), row -> true, job.id(), job.claimNo())
        != null;
  }

  /**
   * Specifies all lanes of a queue, as a range to poll.
   *
   * @param mark the position from which jobs may be available, or null to skip this queue
   * @param shared true if other nodes also use the queue, or if it has jobs that this node does not
   *     run
   */
  public record PollRange(String queue, @Nullable Long mark, boolean shared) {}

  /**
   * Holds the result of a poll.
   *
   * @param nextDue the time until the next scheduled job is due, or null if none is scheduled
   * @param unresolved true if the resolver may have work to do
   * @param released true if {@link #releases()} returns lanes
   * @param last the last position that was assigned
   * @param queues the queues that may have jobs to claim, each with true if a job has one of the
   *     requested types
   */
  public record PollResult(
      @Nullable Duration nextDue,
      boolean unresolved,
      boolean released,
      LastPosition last,
      Map<String, Boolean> queues) {}

  /**
   * Holds the last position that was assigned to any transaction.
   *
   * @param source identifies the running server and the sequence; a different source may lack
   *     commits
   */
  public record LastPosition(String source, long position) {}

  /** Polls for everything except jobs to claim. */
  public PollResult poll() {
    return read(Sql.rows(transactions.entityManager(), ClaimSql.poll(), row -> row));
  }

  /**
   * Polls with a single statement for jobs to claim, in the given ranges and in all other queues,
   * and for everything that {@link #poll()} returns.
   *
   * @param after if no position after this value has been assigned, the statement does not search
   *     for jobs
   */
  public PollResult poll(List<PollRange> ranges, Collection<String> types, long after) {
    return read(
        Sql.rows(
            transactions.entityManager(),
            ClaimSql.pollForJobs(),
            row -> row,
            ranges.stream().map(PollRange::queue).toArray(String[]::new),
            ranges.stream().map(PollRange::mark).toArray(Long[]::new),
            ranges.stream().map(PollRange::shared).toArray(Boolean[]::new),
            types.toArray(String[]::new),
            after));
  }

  private static PollResult read(List<Row> rows) {
    Row first = rows.stream().filter(row -> row.isNull(0)).findFirst().orElseThrow();
    Long due = first.numberOrNull(1);
    return new PollResult(
        due == null ? null : Duration.ofMillis(due),
        first.flag(2),
        first.flag(3),
        new LastPosition(first.text(4), first.number(5)),
        rows.stream()
            .filter(row -> !row.isNull(0))
            .collect(Collectors.toMap(row -> row.text(0), row -> row.flag(2))));
  }

  /** Holds a lane that may have jobs below the marks, and the position from which to scan it. */
  public record ReopenedLane(String queue, String type, int priority, long position) {}

  /** Returns the lanes that nodes have announced in the last five seconds, to be scanned again. */
  public List<ReopenedLane> releases() {
    return Sql.rows(
        transactions.entityManager(),
        ClaimSql.releases(),
        row -> new ReopenedLane(row.text(0), row.text(1), row.integer(2), row.number(3)));
  }

  /** Returns the job types of which a queue has jobs to claim. */
  public List<String> typesWithWork(String queue) {
    return Sql.rows(
        transactions.entityManager(), ClaimSql.typesWithWork(), row -> row.text(0), queue);
  }

  /**
   * Returns true if each statement of the current transaction sees all rows that other transactions
   * had committed before the statement began.
   */
  public boolean seesCommits() {
    return "read committed"
        .equals(Sql.first(transactions.entityManager(), ClaimSql.isolation(), row -> row.text(0)));
  }

  /** Returns the last position that was assigned to any transaction. */
  public LastPosition lastPosition() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ClaimSql.lastPosition(),
            row -> new LastPosition(row.text(0), row.number(1))),
        "the query of a sequence returned no row");
  }

  /** Returns the open transactions that may have taken positions. */
  public Set<String> openWriters() {
    return Set.copyOf(
        Sql.rows(transactions.entityManager(), ClaimSql.openWriters(), row -> row.text(0)));
  }
}
