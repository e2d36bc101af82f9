package org.readpast.runtime;

import jakarta.transaction.RollbackException;
import org.readpast.admin.store.DatabaseHealth;
import org.readpast.api.ReadpastException;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;

/**
 * Explains why a transaction could not use several data sources. Servers report the refusal of a
 * second data source with a deeply nested exception, each with a different message. If a database
 * has no room for another prepared transaction, servers report this only in their logs, if at all.
 */
final class SeveralDataSources {
  private SeveralDataSources() {}

  /**
   * Throws an exception with an explanation if a server has refused a second data source.
   *
   * @throws ReadpastException if a second data source was refused
   */
  static void explain(Exception thrown, String dataSource) {
    if (TransientErrors.isSecondDataSource(thrown)) {
      throw new ReadpastException(
          "a transaction cannot use a second data source in addition to '"
              + dataSource
              + "' (readpast.datasource) if neither is XA, even if both lead to the same"
              + " database; name the application's own data source in"
              + " readpast.datasource, or make both XA",
          thrown);
    }
  }

  /** Returns the exception to report for a handler's transaction that failed to commit. */
  static Exception atCommit(RollbackException thrown, Transactions transactions) {
    if (TransientErrors.hasSqlException(thrown)) {
      return thrown;
    }
    return new ReadpastException(
        "the handler returned, but its transaction was rolled back instead of committed; see"
            + " the server's log for the cause. If the transaction used several databases (XA),"
            + " each of them must be able to prepare it: raise max_prepared_transactions"
            + room(transactions),
        thrown);
  }

  private static String room(Transactions transactions) {
    try {
      DatabaseHealth.Prepared prepared =
          transactions.requiresNewUnbounded(() -> new DatabaseHealth(transactions).prepared());
      return ", which is "
          + prepared.most()
          + " in the queue's database, with "
          + prepared.now()
          + " prepared transactions at present";
    } catch (RuntimeException e) {
      return "";
    }
  }
}
