package org.readpast.retention;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.readpast.schedule.ScheduleSql;
import org.readpast.store.Sql;
import org.readpast.store.Transactions;

/** Removes rows that were kept long enough, in small batches, in the current transaction. */
public final class RetentionStore {
  private static final int RUNS_KEPT = 100;
  private static final int DEEPEST_NOTED = 10_000;

  private final Transactions transactions;

  public RetentionStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /** Removes ended jobs that were kept long enough; gives how many. */
  public int prune(int most) {
    return number(RetentionSql.prune(), most);
  }

  /** Removes what is still known of completed jobs that were not to be kept; gives how many. */
  public int forgetAttempts(int most) {
    return number(RetentionSql.forget(), most);
  }

  private int number(String sql, Object... parameters) {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), sql, row -> row.integer(0), parameters));
  }

  /** Removes ended nodes, finished batches and answers to requests that are kept no longer. */
  public void pruneOperations(Duration kept) {
    Sql.change(transactions.entityManager(), RetentionSql.pruneNodes(), kept.toMillis());
    Sql.change(transactions.entityManager(), RetentionSql.pruneBatches(), kept.toMillis());
    Sql.change(transactions.entityManager(), RetentionSql.pruneGroups());
    Sql.change(transactions.entityManager(), RetentionSql.pruneIdempotency());
    Sql.change(transactions.entityManager(), RetentionSql.pruneListeners());
    Sql.change(transactions.entityManager(), ScheduleSql.pruneDeclarations());
    Sql.change(transactions.entityManager(), RetentionSql.pruneReleases());
  }

  /** Notes how deep queues are, once a minute over all nodes; gives how many are not empty. */
  public int noteDepths() {
    return Sql.change(transactions.entityManager(), RetentionSql.noteDepths(), DEEPEST_NOTED);
  }

  /** Removes queues that have not been used for so long and that nothing names; gives which. */
  public List<String> pruneQueues(Duration kept) {
    return Sql.rows(
        transactions.entityManager(),
        RetentionSql.pruneQueues(),
        row -> row.text(0),
        kept.toMillis());
  }

  /** Removes entries of the audit that were kept long enough; gives how many. */
  public int pruneAudit(int most) {
    return Sql.rows(transactions.entityManager(), RetentionSql.pruneAudit(), row -> true, most)
        .size();
  }

  /** Removes old runs of schedules, but for the latest of each; gives how many. */
  public int pruneRuns(int most) {
    return Sql.rows(
            transactions.entityManager(), ScheduleSql.pruneRuns(), row -> true, RUNS_KEPT, most)
        .size();
  }
}
