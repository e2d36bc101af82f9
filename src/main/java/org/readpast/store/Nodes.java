package org.readpast.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.sql.NodeSql;
import org.readpast.store.TypeLimitStore.TypeLimit;

/**
 * Stores the running engines (nodes) with their heartbeats and counters, and reads the requests of
 * operators to them.
 */
public final class Nodes {
  private static final int LONGEST_PART = 250;

  private final Transactions transactions;

  public Nodes(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds the settings of a queue as operators have set them; null means the configured value.
   *
   * @param configuredGlobalConcurrency the configured limit; if engines have different ones, that
   *     of the engine that started last; null if no engine has one
   * @param recentlyUsed true if the queue was used so recently that it will not be deleted soon
   */
  public record QueueRow(
      String name,
      boolean paused,
      @Nullable Integer concurrency,
      @Nullable Integer reserved,
      @Nullable Integer globalConcurrency,
      @Nullable Integer configuredGlobalConcurrency,
      boolean recentlyUsed) {

    // The highest value of a limit means that there is none.
    private static final int UNLIMITED = 10_000;

    /**
     * Returns the maximum number of concurrent jobs across all nodes, or null if there is no limit.
     */
    public @Nullable Integer limit() {
      Integer most = globalConcurrency == null ? configuredGlobalConcurrency : globalConcurrency;
      return most == null || most >= UNLIMITED ? null : most;
    }

    static QueueRow read(Row row) {
      return new QueueRow(
          row.text(0),
          row.flag(1),
          row.integerOrNull(2),
          row.integerOrNull(3),
          row.integerOrNull(4),
          row.integerOrNull(5),
          row.flag(6));
    }
  }

  // Storing counts must not delay the next heartbeat, which renews the lease.
  private static final Duration LONGEST_STORE = Duration.ofSeconds(1);

  /**
   * Holds the result of a heartbeat.
   *
   * @param heldJobs the jobs that this node holds according to the database
   * @param drain true if the node is to claim no more jobs
   * @param databaseMillis the database's time, in ms since 1970
   * @param watched true if a user watches the console
   */
  public record Beat(List<HeldJob> heldJobs, boolean drain, long databaseMillis, boolean watched) {}

  /**
   * Describes a leased job according to the database; {@code established} is true if the claim is
   * older than five seconds.
   */
  public record HeldJob(long id, int claimNo, boolean established) {
    private static HeldJob read(Row row) {
      return new HeldJob(row.number(0), row.integer(1), row.flag(2));
    }
  }

  /** Registers a node, and returns its number. */
  public int register(
      UUID id,
      Owner owner,
      String name,
      String version,
      Duration lease,
      Duration auditRetention,
      Collection<String> queues,
      Collection<String> types) {
    Integer no =
        Sql.first(
            transactions.entityManager(),
            NodeSql.register(),
            row -> row.integer(0),
            id.toString(),
            name,
            version,
            lease.toMillis(),
            auditRetention.toMillis(),
            queues.toArray(String[]::new),
            types.toArray(String[]::new),
            owner.name(),
            Names.excerpt(owner.application(), LONGEST_PART),
            Names.excerpt(owner.module(), LONGEST_PART));
    return Objects.requireNonNull(no);
  }

  /**
   * Registers a job type, with the number of attempts that its handler allows.
   *
   * @param aliasOf the type of which this name is an alias, or null
   */
  public void registerType(String type, int maxAttempts, @Nullable String aliasOf) {
    Sql.change(transactions.entityManager(), NodeSql.registerType(), type, maxAttempts, aliasOf);
  }

  /**
   * Stores limits across all nodes, so that they also apply on engines that are not configured with
   * them.
   */
  public void configureLimits(Map<String, Integer> limits) {
    if (!limits.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          NodeSql.configureLimits(),
          limits.keySet().toArray(String[]::new),
          limits.values().toArray(Integer[]::new));
    }
  }

  /** Identifies a leased job whose handler has started. */
  public record StartedJob(long lease, long job) {}

  /**
   * Sends the heartbeat of the node.
   *
   * @param id distinguishes the node from another one that has the same number, because the
   *     database has lost the node
   * @param backends the database sessions that run the node's jobs in transactions
   * @param emptyLeases leases of which the node no longer holds jobs; they are deleted
   * @param started the jobs that the node is running
   * @return the result, or null if the node was declared dead or the database has lost it
   */
  public @Nullable Beat beat(
      UUID id,
      int node,
      Collection<Integer> backends,
      int receivers,
      Collection<Long> emptyLeases,
      Collection<StartedJob> started) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            NodeSql.beat(),
            row -> row,
            node,
            backends.toArray(Integer[]::new),
            receivers,
            emptyLeases.toArray(Long[]::new),
            started.stream().map(StartedJob::lease).toArray(Long[]::new),
            started.stream().map(StartedJob::job).toArray(Long[]::new),
            id.toString());
    if (rows.isEmpty()) {
      return null;
    }
    List<HeldJob> heldJobs =
        rows.stream().filter(row -> !row.isNull(0)).map(HeldJob::read).toList();
    Row first = rows.get(0);
    return new Beat(heldJobs, first.flag(3), first.number(4), first.flag(5));
  }

  /** Registers a session that runs jobs of a node. Returns false if the node does not exist. */
  public boolean addBackend(int node, int backend) {
    return Sql.first(transactions.entityManager(), NodeSql.addBackend(), row -> true, node, backend)
        != null;
  }

  /**
   * Changes the state of the node to STOPPING or STOPPED. Returns 0 if the node has ended before.
   */
  public int changeState(UUID id, int node, String state) {
    return Sql.change(
        transactions.entityManager(), NodeSql.changeState(), node, state, id.toString());
  }

  /** Returns the jobs whose cancellation was requested. */
  public Set<Long> cancellationsAmong(Collection<Long> jobs) {
    return Set.copyOf(
        Sql.rows(
            transactions.entityManager(),
            NodeSql.cancellationsAmong(),
            row -> row.number(0),
            (Object) jobs.toArray(Long[]::new)));
  }

  /** Holds every queue, ordered by name, and the limits of all type names that have one. */
  public record LiveSettings(List<QueueRow> queues, List<TypeLimit> typeLimits) {}

  /** Returns the settings that operators can change while nodes run. */
  public LiveSettings settings() {
    List<QueueRow> queues = new ArrayList<>();
    List<TypeLimit> limits = new ArrayList<>();
    for (Row row : Sql.rows(transactions.entityManager(), NodeSql.settings(), one -> one)) {
      if (row.isNull(0)) {
        limits.add(new TypeLimit(row.text(7), row.text(8), row.integer(9)));
      } else {
        queues.add(QueueRow.read(row));
      }
    }
    return new LiveSettings(queues, limits);
  }

  /** Stores the counters of a node. Returns the number of queues that have new counts. */
  public int storeCounters(int node, List<ReportedCounters> counters) {
    List<QueueCounters> counts = counters.stream().map(ReportedCounters::counters).toList();
    return Sql.changeWithin(
        LONGEST_STORE,
        transactions.entityManager(),
        NodeSql.storeCounters(),
        node,
        counts.stream().map(QueueCounters::queue).toArray(String[]::new),
        counts.stream().map(QueueCounters::receivers).toArray(Integer[]::new),
        column(counts, QueueCounters::received),
        column(counts, QueueCounters::completed),
        column(counts, QueueCounters::failed),
        column(counts, QueueCounters::discarded),
        column(counts, QueueCounters::wakeUps),
        column(counts, QueueCounters::emptyReceives),
        column(counts, QueueCounters::errors),
        column(counters, ReportedCounters::enqueued),
        counters.stream().map(ReportedCounters::waits).toArray(String[]::new),
        counters.stream().map(ReportedCounters::runs).toArray(String[]::new));
  }

  /** Stores the counts of a node for each second. Returns the number of stored counts. */
  public int storeSeconds(int node, List<SecondTally> tallies) {
    return Sql.changeWithin(
        LONGEST_STORE,
        transactions.entityManager(),
        NodeSql.storeSeconds(),
        node,
        column(tallies, SecondTally::second),
        tallies.stream().map(SecondTally::queue).toArray(String[]::new),
        tallies.stream().map(SecondTally::type).toArray(String[]::new),
        column(tallies, SecondTally::enqueued),
        column(tallies, SecondTally::completed),
        column(tallies, SecondTally::failed),
        tallies.stream().map(SecondTally::waits).toArray(String[]::new),
        tallies.stream().map(SecondTally::runs).toArray(String[]::new));
  }

  private static <T> Long[] column(List<T> counts, Function<T, Long> count) {
    return counts.stream().map(count).toArray(Long[]::new);
  }

  /** Terminates a database session. Returns false if the session has ended before. */
  public boolean terminate(int backend) {
    return Boolean.TRUE.equals(
        Sql.first(transactions.entityManager(), NodeSql.terminate(), row -> row.flag(0), backend));
  }

  /**
   * Returns the exception and the message of a job's last failed attempt, or null if no attempt has
   * failed.
   */
  public @Nullable String lastFailure(long job) {
    String failure =
        Sql.first(
            transactions.entityManager(), NodeSql.lastFailure(), row -> row.textOrNull(0), job);
    return transactions.encryption().shownText(EncryptionContext.failure(job), failure);
  }

  /** Holds a line of a job's log, and the time at which its handler wrote it. */
  public record OutputLine(long nanos, String text) {}

  /** Holds the progress of a job, and the time at which its handler reported it. */
  public record OutputProgress(long nanos, long done, long total) {}

  /**
   * Stores the progress and output that the handler of a job has reported. Returns false if the
   * claim no longer owns the job.
   */
  public boolean output(ClaimedJob job, List<OutputLine> lines, @Nullable OutputProgress progress) {
    long now = System.nanoTime();
    Encryption encrypted = transactions.encryption();
    EncryptionContext log = EncryptionContext.log(job.id());
    return Sql.first(
            transactions.entityManager(),
            NodeSql.output(),
            row -> true,
            job.id(),
            job.claimNo(),
            job.attempt(),
            lines.stream().map(line -> (now - line.nanos()) / 1_000_000).toArray(Long[]::new),
            lines.stream().map(line -> encrypted.sealText(log, line.text())).toArray(String[]::new),
            progress == null ? null : (now - progress.nanos()) / 1_000_000,
            progress == null ? null : progress.done(),
            progress == null ? null : progress.total())
        != null;
  }
}
