package org.readpast.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.sql.NodeSql;

/** The running engines: who they are, that they live, and what they are to know. */
public final class Nodes {
  private static final int LONGEST_PART = 250;

  private final Transactions transactions;

  public Nodes(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * A queue's settings as operators have left them; null: what the configuration says.
   *
   * @param configuredGlobalConcurrency what the last engine to start states that is configured with
   *     a limit; null: none was
   * @param lately whether it was used so lately that it is not removed soon
   */
  public record QueueRow(
      String name,
      boolean paused,
      @Nullable Integer concurrency,
      @Nullable Integer reserved,
      @Nullable Integer globalConcurrency,
      @Nullable Integer configuredGlobalConcurrency,
      boolean lately) {

    /** Most jobs at a time over all nodes; null: no limit. */
    public @Nullable Integer limit() {
      return globalConcurrency == null ? configuredGlobalConcurrency : globalConcurrency;
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

  /**
   * What a heartbeat learns.
   *
   * @param leases the jobs that the database says this node holds
   * @param drain whether it is to take no more
   */
  public record Beat(List<Lease> leases, boolean drain) {}

  /** A leased job that the database knows; settled when it is not of this very moment. */
  public record Lease(long id, int claimNo, boolean settled) {
    private static Lease read(Row row) {
      return new Lease(row.number(0), row.integer(1), row.flag(2));
    }
  }

  /** Makes a node known, and gives its number. */
  public int register(
      UUID id,
      Owner owner,
      String name,
      String version,
      Duration lease,
      Duration auditKept,
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
            auditKept.toMillis(),
            queues.toArray(String[]::new),
            types.toArray(String[]::new),
            owner.name(),
            Names.excerpt(owner.application(), LONGEST_PART),
            Names.excerpt(owner.module(), LONGEST_PART));
    return Objects.requireNonNull(no);
  }

  /**
   * Makes a job type known, with the attempts that its handler allows.
   *
   * @param aliasOf the name of the type that it is another name of; null: none
   */
  public void registerType(String type, int maxAttempts, @Nullable String aliasOf) {
    Sql.change(transactions.entityManager(), NodeSql.registerType(), type, maxAttempts, aliasOf);
  }

  /** Stores limits over all nodes, so that they hold on engines without this configuration too. */
  public void configureLimits(Map<String, Integer> limits) {
    if (!limits.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          NodeSql.configureLimits(),
          limits.keySet().toArray(String[]::new),
          limits.values().toArray(Integer[]::new));
    }
  }

  /** A leased job whose handler has started. */
  public record Begun(long lease, long job) {}

  /**
   * Proves that the node is alive.
   *
   * @param backends database sessions that work its jobs in transactions
   * @param through leases of which it holds none any more: they are removed
   * @param begun what it works now
   * @return null when it was declared dead
   */
  public @Nullable Beat beat(
      int node,
      Collection<Integer> backends,
      int receivers,
      Collection<Long> through,
      Collection<Begun> begun) {
    List<Row> rows =
        Sql.rows(
            transactions.entityManager(),
            NodeSql.beat(),
            row -> row,
            node,
            backends.toArray(Integer[]::new),
            receivers,
            through.toArray(Long[]::new),
            begun.stream().map(Begun::lease).toArray(Long[]::new),
            begun.stream().map(Begun::job).toArray(Long[]::new));
    if (rows.isEmpty()) {
      return null;
    }
    List<Lease> leases = rows.stream().filter(row -> !row.isNull(0)).map(Lease::read).toList();
    return new Beat(leases, rows.get(0).flag(3));
  }

  /** Makes a database session known that works jobs of the node in transactions. */
  public void addBackend(int node, int backend) {
    Sql.first(transactions.entityManager(), NodeSql.addBackend(), row -> true, node, backend);
  }

  /** Enters STOPPING or STOPPED. */
  public void enter(int node, String state) {
    Sql.change(transactions.entityManager(), NodeSql.enter(), node, state);
  }

  /** Those of the jobs that somebody wants cancelled. */
  public Set<Long> cancellationsAmong(Collection<Long> jobs) {
    return Set.copyOf(
        Sql.rows(
            transactions.entityManager(),
            NodeSql.cancellationsAmong(),
            row -> row.number(0),
            (Object) jobs.toArray(Long[]::new)));
  }

  /** Every queue. */
  public List<QueueRow> queues() {
    return Sql.rows(transactions.entityManager(), NodeSql.queues(), QueueRow::read);
  }

  /** Keeps the counters of a node. */
  public void listening(int node, List<Tally> tallies) {
    List<Listening> counts = tallies.stream().map(Tally::listening).toList();
    Sql.change(
        transactions.entityManager(),
        NodeSql.listening(),
        node,
        counts.stream().map(Listening::queue).toArray(String[]::new),
        counts.stream().map(Listening::receivers).toArray(Integer[]::new),
        column(counts, Listening::received),
        column(counts, Listening::completed),
        column(counts, Listening::failed),
        column(counts, Listening::discarded),
        column(counts, Listening::wakeUps),
        column(counts, Listening::emptyReceives),
        column(counts, Listening::errors),
        column(tallies, Tally::enqueued),
        tallies.stream().map(Tally::waits).toArray(String[]::new),
        tallies.stream().map(Tally::runs).toArray(String[]::new));
  }

  private static <T> Long[] column(List<T> counts, Function<T, Long> count) {
    return counts.stream().map(count).toArray(Long[]::new);
  }

  /** Ends the work of a database backend. */
  public void terminate(int backend) {
    Sql.rows(transactions.entityManager(), NodeSql.terminate(), row -> true, backend);
  }

  /** What the last failed attempt of a job threw; null: none has failed. */
  public @Nullable String lastFailure(long job) {
    String failure =
        Sql.first(
            transactions.entityManager(), NodeSql.lastFailure(), row -> row.textOrNull(0), job);
    return transactions.encryption().shownText(EncryptionContext.failure(job), failure);
  }

  /** A line of a job's log, and when its handler wrote it. */
  public record Line(long nanos, String text) {}

  /** How far a job is, and when its handler reported that. */
  public record Progress(long nanos, long done, long total) {}

  /** Stores what the handler of a job has reported; false if the claim no longer owns the job. */
  public boolean output(ClaimedJob job, List<Line> lines, @Nullable Progress progress) {
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
