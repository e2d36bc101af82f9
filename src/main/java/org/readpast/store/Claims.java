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
import org.readpast.model.Encryption;
import org.readpast.sql.ClaimSql;
import org.readpast.store.TypeLimitStore.PassedBy;

/** Leases jobs, skipping rows that other transactions have locked. */
public final class Claims {
  /** As many as one claim may take. */
  public static final int MOST = ClaimSql.MOST;

  private final Transactions transactions;
  private final TypeLimitStore typeLimits;

  public Claims(Transactions transactions) {
    this.transactions = transactions;
    this.typeLimits = new TypeLimitStore(transactions);
  }

  /**
   * How much a claim may lease.
   *
   * @param jobs at most this many
   * @param bytes of payload, unless one job alone is larger
   * @param work how long they are expected to take one after the other, unless one alone takes
   *     longer
   * @param allowed how long this node allows each
   * @param mayBeLost types whose lease a crash of the database may lose: if it finds jobs of these
   *     alone, its commit does not wait for the disk, which is up to half of the time from an
   *     enqueue to the start. For jobs that end in a transaction, which such a crash undoes too
   */
  public record Most(
      int jobs, long bytes, Duration work, Duration allowed, Collection<String> mayBeLost) {
    /** One whose lease outlives a crash. */
    public Most(int jobs, long bytes, Duration work, Duration allowed) {
      this(jobs, bytes, work, allowed, List.of());
    }

    private Most one() {
      return new Most(1, bytes, work, allowed, mayBeLost);
    }
  }

  /**
   * What a claim has leased.
   *
   * @param cut the first job of each lane that it has locked, but not leased, because of a bound
   * @param refused whether the queue's limit over all nodes allows no more
   * @param queueLocked whether that was only assumed, as another transaction holds the limit
   * @param passedBy types whose limits over all nodes allow no more: their lanes were left out
   * @param more whether lanes were left out that have jobs, because a job of a type with a limit
   *     over all nodes is leased alone
   */
  public record Leased(
      List<ClaimedJob> jobs,
      List<Released> cut,
      boolean refused,
      boolean queueLocked,
      PassedBy passedBy,
      boolean more) {
    /** Nothing, where no limit is reached. */
    public static final Leased NOTHING =
        new Leased(List.of(), List.of(), false, false, PassedBy.NONE, false);

    private static final Leased LOCKED =
        new Leased(List.of(), List.of(), true, true, PassedBy.NONE, false);

    private static Leased read(String queue, Row row, Encryption encryption) {
      List<Released> cut = new ArrayList<>();
      for (String lane : row.texts(2)) {
        String[] parts = lane.split(":");
        cut.add(
            new Released(queue, parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
      }
      List<ClaimedJob> jobs = ClaimedJob.leased(queue, row, 0, encryption);
      return new Leased(jobs, cut, row.flag(3), false, PassedBy.NONE, false);
    }

    private Leased with(PassedBy newPassedBy, boolean newMore) {
      return new Leased(jobs, cut, refused, queueLocked, newPassedBy, newMore);
    }

    /** Returns true if other transactions hold limits, so that it is worth trying again. */
    public boolean contended() {
      return queueLocked || !passedBy.locked().isEmpty();
    }

    /** Returns what was leased, with the jobs in the order of the lanes. */
    private Leased inOrder(List<Lane> lanes) {
      // UPDATE … RETURNING gives rows in the order of the heap.
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

  /** Leases jobs, by a statement that commits by itself; in the order of the lanes. */
  public Leased lease(String queue, List<Lane> lanes, Most most, int node) {
    return transactions
        .autoCommit(() -> lease(ClaimSql.lease(), queue, lanes, most, node, null))
        .inOrder(lanes);
  }

  /**
   * The limits over all nodes that a claim is subject to.
   *
   * @param queue jobs of the queue; null: no limit
   * @param types of lanes, as they are stored, with the type whose limit their jobs count under
   */
  public record GlobalLimits(@Nullable Integer queue, Map<String, String> types) {
    /** Returns true if there is none. */
    public boolean none() {
      return queue == null && types.isEmpty();
    }
  }

  /**
   * Leases jobs under limits over all nodes, in a short transaction that locks these limits. A job
   * of a limited type is leased alone. What is limited by a row that another transaction has locked
   * is left out, as if the limit were reached, so that claims never wait for a node that has
   * frozen.
   */
  public Leased leaseWithin(
      GlobalLimits limits, String queue, List<Lane> lanes, Most most, int node) {
    return transactions.requiresNew(() -> within(limits, queue, lanes, most, node)).inOrder(lanes);
  }

  private Leased within(GlobalLimits limits, String queue, List<Lane> lanes, Most most, int node) {
    EntityManager em = transactions.entityManager();
    Integer ofQueue = limits.queue();
    if (ofQueue != null && Sql.first(em, ClaimSql.lockQueue(), row -> true, queue) == null) {
      return Leased.LOCKED;
    }
    if (limits.types().isEmpty()) {
      return lease(ClaimSql.leaseUpToLimit(), queue, lanes, most, node, ofQueue);
    }
    TypeLimitStore.OpenLanes open = typeLimits.open(queue, lanes, limits.types());
    String statement = ofQueue == null ? ClaimSql.lease() : ClaimSql.leaseUpToLimit();
    Leased leased = Leased.NOTHING;
    boolean more = false;
    for (Iterator<List<Lane>> parts = open.parts().iterator();
        parts.hasNext() && leased.jobs().isEmpty() && !leased.refused(); ) {
      List<Lane> part = parts.next();
      String limited = limits.types().get(part.get(0).type());
      leased = lease(statement, queue, part, limited == null ? most : most.one(), node, ofQueue);
      more = !leased.jobs().isEmpty() && (limited != null || parts.hasNext());
      if (limited != null && more) {
        typeLimits.count(leased.jobs().get(0).lease(), limited);
      }
    }
    return leased.with(open.passedBy(), more);
  }

  private Leased lease(
      String statement,
      String queue,
      List<Lane> lanes,
      Most most,
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
                most.jobs(),
                most.allowed().toMillis(),
                most.bytes(),
                most.work().toNanos() / 1_000));
    parameters.add(limit != null ? limit : most.mayBeLost().toArray(String[]::new));
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            statement,
            row -> Leased.read(queue, row, transactions.encryption()),
            parameters.toArray()),
        "what is put together of no rows is a row");
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
      WaveStore.Wave wave,
      String queue,
      String type,
      int priority,
      long after,
      long before,
      boolean fromTheEnd,
      int most) {}

  /**
   * Leases jobs straight from a wave, if it is open, by a statement that commits by itself; in
   * order of ids.
   */
  public List<ClaimedJob> leaseFromWave(Stretch of, int node, long bytes, Duration allowed) {
    List<ClaimedJob> jobs = transactions.autoCommit(() -> fromWave(of, node, bytes, allowed));
    jobs.sort(
        of.fromTheEnd()
            ? Comparator.comparingLong(ClaimedJob::id).reversed()
            : Comparator.comparingLong(ClaimedJob::id));
    return jobs;
  }

  private List<ClaimedJob> fromWave(Stretch of, int node, long bytes, Duration allowed) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            of.fromTheEnd() ? ClaimSql.leaseFromEndOfWave() : ClaimSql.leaseFromWave(),
            row -> ClaimedJob.leased(of.queue(), row, 0, transactions.encryption()),
            of.queue(),
            of.type(),
            of.priority(),
            of.wave().batch(),
            of.wave().no(),
            node,
            of.most(),
            allowed.toMillis(),
            of.after(),
            of.before(),
            bytes),
        "what is put together of no rows is a row");
  }

  /** Records that the job's handler is about to start; false when it is no longer this claim's. */
  public boolean begin(ClaimedJob job) {
    return transactions.autoCommit(
        () ->
            Sql.first(
                    transactions.entityManager(),
                    ClaimSql.begin(),
                    row -> true,
                    job.lease(),
                    job.id(),
                    job.claimNo())
                != null);
  }

  /** Has the database end the session of the current transaction when it idles for long. */
  public void boundIdleTime() {
    Sql.first(transactions.entityManager(), ClaimSql.boundIdleTime(), row -> true);
  }

  /** The process id of the database session of the current transaction. */
  public int backend() {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), ClaimSql.backend(), row -> row.integer(0)));
  }

  /** Whether this lease still owns the job. */
  public boolean owns(ClaimedJob job) {
    return Sql.first(
            transactions.entityManager(), ClaimSql.owned(), row -> true, job.id(), job.claimNo())
        != null;
  }

  /**
   * All lanes of a queue.
   *
   * @param mark from where on; null: none of them
   * @param shared whether others work there
   */
  public record Range(String queue, @Nullable Long mark, boolean shared) {}

  /**
   * What there is to be done.
   *
   * @param nextDue until the next scheduled job is due; null: none is scheduled
   * @param unsettled whether there may be something to settle
   * @param released whether jobs were released of late
   * @param last the last position drawn
   * @param queues that have something to claim, each with whether it is of one of the types
   */
  public record Look(
      @Nullable Duration nextDue,
      boolean unsettled,
      boolean released,
      LastPosition last,
      Map<String, Boolean> queues) {}

  /**
   * The last position that any transaction has drawn.
   *
   * @param source identifies the running server and the sequence; another one may lack commits
   */
  public record LastPosition(String source, long position) {}

  /** Looks for all but jobs to claim. */
  public Look look() {
    return read(Sql.rows(transactions.entityManager(), ClaimSql.look(), row -> row));
  }

  /**
   * Looks for all at once: in these ranges for jobs to claim, and in all other queues.
   *
   * @param after no job is looked for while no position was drawn after this one
   */
  public Look look(List<Range> ranges, Collection<String> types, long after) {
    return read(
        Sql.rows(
            transactions.entityManager(),
            ClaimSql.lookForJobs(),
            row -> row,
            ranges.stream().map(Range::queue).toArray(String[]::new),
            ranges.stream().map(Range::mark).toArray(Long[]::new),
            ranges.stream().map(Range::shared).toArray(Boolean[]::new),
            types.toArray(String[]::new),
            after));
  }

  private static Look read(List<Row> rows) {
    Row first = rows.stream().filter(row -> row.isNull(0)).findFirst().orElseThrow();
    Long due = first.numberOrNull(1);
    return new Look(
        due == null ? null : Duration.ofMillis(due),
        first.flag(2),
        first.flag(3),
        new LastPosition(first.text(4), first.number(5)),
        rows.stream()
            .filter(row -> !row.isNull(0))
            .collect(Collectors.toMap(row -> row.text(0), row -> row.flag(2))));
  }

  /** A lane that jobs became available in again, and the lowest of their positions. */
  public record Released(String queue, String type, int priority, long position) {}

  /** What was released in the last seconds, by all nodes. */
  public List<Released> releases() {
    return Sql.rows(
        transactions.entityManager(),
        ClaimSql.releases(),
        row -> new Released(row.text(0), row.text(1), row.integer(2), row.number(3)));
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

  /** Returns the last position that any transaction has drawn. */
  public LastPosition lastPosition() {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ClaimSql.lastPosition(),
            row -> new LastPosition(row.text(0), row.number(1))),
        "a sequence is a row");
  }

  /** The transactions still open that may have drawn positions. */
  public Set<String> openWriters() {
    return Set.copyOf(
        Sql.rows(transactions.entityManager(), ClaimSql.openWriters(), row -> row.text(0)));
  }
}
