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

/** What keeps a live job from running, in the current transaction, without locking anything. */
public final class ReasonReads {
  /** More than this is not counted. */
  public static final int MOST_COUNTED = ReasonSql.MOST_COUNTED;

  private final Transactions transactions;

  public ReasonReads(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * What its own row, its batch and its queue say.
   *
   * @param position null: it is not AVAILABLE
   * @param concurrency null: what the configuration says
   * @param globalConcurrency null: no limit
   * @param unreadable why its payload could not be read the last time; null: it could
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
   * A job that another one waits for.
   *
   * @param endedAs how it ended badly
   * @param state while it lives
   * @param many how many there are, up to {@link #MOST_COUNTED}
   * @param hidden whether it is of a queue that is not seen
   */
  public record Awaited(
      long id, @Nullable JobState endedAs, @Nullable JobState state, long many, boolean hidden) {}

  /** How many live jobs a wave has. */
  public record Wave(int number, long live) {}

  /** A discarded job of a wave that holds higher ones, and how many there are. */
  public record Holder(long id, int wave, long many) {}

  /** A job of a group whose turn it is. */
  public record Active(long id, JobState state) {}

  /** How many of a group may run at a time, and how many wait before a job. */
  public record Turn(int limit, long before) {}

  /**
   * How nodes stand that take jobs.
   *
   * @param handling those that handle the type
   * @param serving those of them that serve the queue too
   * @param free those of them that have a receiver to spare
   * @param inWork jobs of the queue in work, over all nodes
   */
  public record Workers(long taking, long handling, long serving, long free, long inWork) {}

  /** Null when the job is not live. */
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

  /** Some of those that it comes after, those that have ended badly first. */
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

  /** Some lower waves that have live jobs. */
  public List<Wave> lowerWaves(long batch, int wave) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.lowerWaves(),
        row -> new Wave(row.integer(0), row.number(1)),
        batch,
        wave);
  }

  /** Some discarded jobs of lower waves that keep this one waiting. */
  public List<Holder> waveHolds(long batch, int wave) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.waveHolds(),
        row -> new Holder(row.number(0), row.integer(1), row.number(2)),
        batch,
        wave);
  }

  /** Some discarded jobs that keep a group waiting, but for this one. */
  public List<Long> groupHolds(String queue, String group, long job) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.groupHolds(),
        row -> row.number(0),
        queue,
        group,
        job);
  }

  /** Some jobs of a group whose turn it is. */
  public List<Active> groupActive(String queue, String group) {
    return Sql.rows(
        transactions.entityManager(),
        ReasonSql.groupActive(),
        row -> new Active(row.number(0), JobState.valueOf(row.text(1))),
        queue,
        group);
  }

  /** The place of a job that waits in its group. */
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
   * Who could work a type in a queue.
   *
   * @param concurrency receivers that a node may have for the queue
   * @param workers and for all queues
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
   * The limit of a type over all nodes.
   *
   * @param type whose limit it is
   * @param leased how many jobs count under it now
   */
  public record TypeLimit(String type, int most, long leased) {}

  /** The limit over all nodes that the jobs of a type count under; null: none. */
  public @Nullable TypeLimit typeLimit(String type) {
    return Sql.first(
        transactions.entityManager(),
        ReasonSql.typeLimit(),
        row -> new TypeLimit(row.text(0), row.integer(1), row.number(2)),
        type);
  }

  /** How many jobs of these types are in work, by name, as of the last heartbeats. */
  public long begun(Collection<String> types) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ReasonSql.begun(),
            row -> row.number(0),
            (Object) types.toArray(String[]::new)));
  }

  /** How many are claimed before one at this place, up to {@link #MOST_COUNTED}. */
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
