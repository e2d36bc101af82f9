package org.readpast.retention;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.schedule.ScheduleSql;

/** Deletes rows whose retention has expired, in small batches, in the current transaction. */
public final class RetentionStore {
  private static final int RUNS_KEPT = 100;
  private static final int DEEPEST_NOTED = 10_000;

  private final Transactions transactions;

  public RetentionStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Deletes ended jobs whose retention has expired, and returns their number. */
  public int prune(int most) {
    return number(RetentionSql.prune(), most);
  }

  /**
   * Deletes the remaining data of completed jobs that are not kept, and returns the number of jobs.
   */
  public int forgetAttempts(int most) {
    return number(RetentionSql.forget(), most);
  }

  private int number(String sql, Object... parameters) {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), sql, row -> row.integer(0), parameters));
  }

  /** Deletes ended nodes, finished batches and stored responses whose retention has expired. */
  public void pruneOperations(Duration kept) {
    Sql.change(transactions.entityManager(), RetentionSql.pruneNodes(), kept.toMillis());
    Sql.change(transactions.entityManager(), RetentionSql.pruneBatches(), kept.toMillis());
    Sql.change(transactions.entityManager(), RetentionSql.pruneGroups());
    Sql.change(transactions.entityManager(), RetentionSql.pruneIdempotency());
    Sql.change(transactions.entityManager(), RetentionSql.pruneListeners());
    Sql.change(transactions.entityManager(), ScheduleSql.pruneDeclarations());
    Sql.change(transactions.entityManager(), RetentionSql.pruneReleases());
  }

  /**
   * Records the depths of queues, once a minute across all nodes, and returns the number of queues
   * that are not empty.
   */
  public int noteDepths() {
    return Sql.change(transactions.entityManager(), RetentionSql.noteDepths(), DEEPEST_NOTED);
  }

  /**
   * Deletes queues that have not been used for the given time and that nothing refers to, and
   * returns their names.
   */
  public List<String> pruneQueues(Duration kept) {
    return Sql.rows(
        transactions.entityManager(),
        RetentionSql.pruneQueues(),
        row -> row.text(0),
        kept.toMillis());
  }

  /** Deletes audit entries whose retention has expired, and returns their number. */
  public int pruneAudit(int most) {
    return Sql.rows(transactions.entityManager(), RetentionSql.pruneAudit(), row -> true, most)
        .size();
  }

  /**
   * Deletes objects that runs of rules have found and that do not become jobs, because the runs
   * have ended; returns the number of objects.
   */
  public int pruneFound(int most) {
    return Sql.rows(transactions.entityManager(), RetentionSql.pruneFound(), row -> true, most)
        .size();
  }

  /** Deletes old runs of schedules except the latest runs of each, and returns their number. */
  public int pruneRuns(int most) {
    return Sql.rows(
            transactions.entityManager(), ScheduleSql.pruneRuns(), row -> true, RUNS_KEPT, most)
        .size();
  }
}
