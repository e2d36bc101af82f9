package org.readpast.admin.store;

import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.OutcomeSql;
import org.readpast.api.JobState;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptionContext;

/** Reads the state and the result of jobs, for callers that wait until a job has ended. */
public final class JobOutcomes {
  private final Transactions transactions;

  public JobOutcomes(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Holds the state and the result of a job.
   *
   * @param result the handler's result as JSON, or null if there is none
   */
  public record Answer(JobState state, @Nullable String result) {}

  /** Reads one live or ended job, in the current transaction; returns null if it does not exist. */
  public @Nullable Answer find(long id) {
    return Sql.first(
        transactions.entityManager(),
        OutcomeSql.outcome(),
        row ->
            new Answer(
                JobState.valueOf(row.text(0)),
                transactions
                    .encryption()
                    .shownJson(EncryptionContext.result(id, row.text(2)), row.textOrNull(1))),
        id);
  }
}
