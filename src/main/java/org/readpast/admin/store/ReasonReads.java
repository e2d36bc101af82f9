package org.readpast.admin.store;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ReasonSql;
import org.readpast.api.JobState;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueScope;
import org.readpast.store.Row;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/**
 * Reads what keeps a live job from running, in the current transaction, without locking anything.
 */
public final class ReasonReads {
  /** The count at which counting stops. */
  public static final int MOST_COUNTED = ReasonSql.MOST_COUNTED;

  private final Transactions transactions;

  public ReasonReads(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds what the job's own row, its batch and its queue contain.
   *
   * @param position null: it is not AVAILABLE
   * @param concurrency null: the configured value applies
   * @param globalConcurrency null: no limit
   * @param unreadable why its payload could not be read the last time; null: it could be read
   */
  public record Facts(
      @Nullable Long position,
      boolean due,
      @Nullable Long batch,
      boolean batchCancelled,
      boolean batchHeld,
      boolean paused,
      @Nullable Integer concurrency,
      @Nullable Integer globalConcurrency,
      @Nullable String unreadable) {}

  /**
   * Describes a job that another job waits for.
   *
   * @param endedAs the state in which it has failed
   * @param state its state while it is live
   * @param many the number of such jobs, up to {@link #MOST_COUNTED}
   * @param hidden true if its queue is not visible
   */
  public record Awaited(
      long id, @Nullable JobState endedAs, @Nullable JobState state, long many, boolean hidden) {}

  /** Holds the number of live jobs of a wave. */
  public record Wave(int number, long live) {}

  /** Describes a discarded job of a wave that holds higher waves, and the number of such jobs. */
  public record Holder(long id, int wave, long many) {}

  /** Describes a job of a group whose turn it is. */
  public record Active(long id, JobState state) {}

  /** Holds the concurrency of a group, and the number of jobs that wait in it before a job. */
  public record Turn(int limit, long before) {}

  /**
   * Counts the nodes that claim jobs.
   *
   * @param handling the nodes that handle the type
   * @param serving the nodes that handle the type and serve the queue
   * @param free the nodes that handle the type, serve the queue and have a free receiver
   * @param inWork the running jobs of the queue, over all nodes
   */
  public record Workers(long taking, long handling, long serving, long free, long inWork) {}

  /** Returns the facts about a job; null: it is not live. */
  public @Nullable Facts facts(long job) {
    return Sql.first(
        transactions.entityManager(),
        ReasonSql.job(),
        row ->
            new Facts(
                row.numberOrNull(0),
                row.flag(1),
                row.numberOrNull(2),
                row.flag(3),
                row.flag(4),
                row.flag(5),
                row.integerOrNull(6),
                row.integerOrNull(7),
                transactions
                    .encryption()
                    .shownText(EncryptionContext.failure(job), row.textOrNull(8))),
        job);
  }

  /** Returns some of the predecessors of a job, failed ones first. */
  public List<Awaited> predecessors(long job, QueueScope seen) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.predecessors(),
        row -> new Awaited(row.number(0), state(row, 1), state(row, 2), row.number(3), row.flag(4)),
        job,
        seen.names(),
        seen.others());
  }

  private static @Nullable JobState state(Row row, int column) {
    return row.isNull(column) ? null : JobState.valueOf(row.text(column));
  }

  /** Returns some lower waves that have live jobs. */
  public List<Wave> lowerWaves(long batch, int wave) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.lowerWaves(),
        row -> new Wave(row.integer(0), row.number(1)),
        batch,
        wave);
  }

  /** Returns some discarded jobs of lower waves that keep this wave waiting. */
  public List<Holder> waveHolds(long batch, int wave) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.waveHolds(),
        row -> new Holder(row.number(0), row.integer(1), row.number(2)),
        batch,
        wave);
  }

  /** Returns some discarded jobs, other than this one, that keep a group waiting. */
  public List<Long> groupHolds(String queue, String group, long job) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.groupHolds(),
        row -> row.number(0),
        queue,
        group,
        job);
  }

  /** Returns some jobs of a group whose turn it is. */
  public List<Active> groupActive(String queue, String group) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.groupActive(),
        row -> new Active(row.number(0), JobState.valueOf(row.text(1))),
        queue,
        group);
  }

  /** Returns the position of a waiting job in its group. */
  public Turn groupTurn(String queue, String group, long job) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ReasonSql.groupTurn(),
            row -> new Turn(row.integer(0), row.number(1)),
            queue,
            group,
            job));
  }

  /**
   * Counts the nodes that could run jobs of a type in a queue.
   *
   * @param concurrency the number of receivers that a node may have for the queue
   * @param workers the number of receivers that a node may have for all queues
   */
  public Workers workers(String queue, String type, int concurrency, int workers) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ReasonSql.nodes(),
            row ->
                new Workers(
                    row.number(0), row.number(1), row.number(2), row.number(3), row.number(4)),
            queue,
            type,
            concurrency,
            workers));
  }

  /**
   * Holds the limit of a type over all nodes.
   *
   * @param type the type that has the limit
   * @param leased the number of jobs that count towards the limit now
   */
  public record TypeLimit(String type, int most, long leased) {}

  /** Returns the limit over all nodes that applies to the jobs of a type; null: none. */
  public @Nullable TypeLimit typeLimit(String type) {
    return Sql.first(
        transactions.entityManager(),
        ReasonSql.typeLimit(),
        row -> new TypeLimit(row.text(0), row.integer(1), row.number(2)),
        type);
  }

  /**
   * Returns the number of running jobs of these types, given by name, as of the last heartbeats.
   */
  public long begun(Collection<String> types) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ReasonSql.begun(),
            row -> row.number(0),
            (Object) types.toArray(String[]::new)));
  }

  /**
   * Returns the number of jobs that are claimed before a job at this position, up to {@link
   * #MOST_COUNTED}.
   */
  public long ahead(String queue, String type, int priority, long position) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ReasonSql.ahead(),
            row -> row.number(0),
            queue,
            type,
            priority,
            position));
  }
}
