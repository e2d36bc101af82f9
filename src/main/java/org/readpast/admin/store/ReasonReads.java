package org.readpast.admin.store;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ReasonSql;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;
import org.readpast.model.QueueScope;

/**
 * Reads the reasons why a live job is not running, in the current transaction and without locks.
 */
public final class ReasonReads {
  /** Limits how many jobs are counted. */
  public static final int MOST_COUNTED = ReasonSql.MOST_COUNTED;

  private final Transactions transactions;

  public ReasonReads(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds the data about a live job, its batch and its queue.
   *
   * @param position the position of an AVAILABLE job, otherwise null
   * @param concurrency the number of concurrent jobs, or null for the configured value
   * @param globalConcurrency the number of concurrent jobs across all nodes, or null if it is
   *     unlimited
   * @param unreadable why the payload could not be read the last time, or null if it could be read
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
   * Describes a predecessor that a job waits for.
   *
   * @param endedAs the state in which the predecessor has failed
   * @param state the state of the predecessor while it is live
   * @param many the number of all live predecessors, up to {@link #MOST_COUNTED}
   * @param hidden true if the queue of the predecessor is not visible
   */
  public record Awaited(
      long id, @Nullable JobState endedAs, @Nullable JobState state, long many, boolean hidden) {}

  /** Holds a wave and the number of its live jobs. */
  public record Wave(int number, long live) {}

  /**
   * Describes a discarded job whose wave holds higher waves, and the number of jobs that hold them.
   */
  public record Holder(long id, int wave, long many) {}

  /** Describes a job of a group that may run now. */
  public record Active(long id, JobState state) {}

  /**
   * Holds the concurrency of a group, and the number of jobs that wait in it before a given job.
   */
  public record Turn(int limit, long before) {}

  /**
   * Counts the nodes that claim jobs, and the nodes among them that could run a given job.
   *
   * @param handling the number of nodes that handle the job type
   * @param serving the number of nodes that handle the job type and serve the queue
   * @param free the number of nodes that handle the job type, serve the queue and have a free
   *     receiver
   * @param inWork the number of running jobs of the queue, across all nodes
   */
  public record Workers(long taking, long handling, long serving, long free, long inWork) {}

  /** Returns the data about a job, or null if the job is not live. */
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

  /** Returns some discarded jobs that keep a group waiting, without the job itself. */
  public List<Long> groupHolds(String queue, String group, long job) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.groupHolds(),
        row -> row.number(0),
        queue,
        group,
        job);
  }

  /** Returns some jobs of a group that may run now. */
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
   * Holds the limit of a job type across all nodes.
   *
   * @param type the job type that has the limit
   * @param leased the number of jobs that currently count towards the limit
   */
  public record TypeLimit(String type, int most, long leased) {}

  /**
   * Returns the limit across all nodes that applies to the jobs of a type, or null if there is
   * none.
   */
  public @Nullable TypeLimit typeLimit(String type) {
    return Sql.first(
        transactions.entityManager(),
        ReasonSql.typeLimit(),
        row -> new TypeLimit(row.text(0), row.integer(1), row.number(2)),
        type);
  }

  /** Returns the number of running jobs of the given types, by name, as of the last heartbeats. */
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
