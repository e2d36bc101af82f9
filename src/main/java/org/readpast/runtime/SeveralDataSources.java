package org.readpast.runtime;

import jakarta.transaction.RollbackException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.readpast.api.ReadpastException;
import org.readpast.store.DatabaseHealth;
import org.readpast.store.Transactions;

/**
 * Says why a transaction could not have several data sources. Of a second one that is refused the
 * servers tell by an exception deep below, each in its own words; that a database has no room to
 * prepare stands at most in their logs.
 */
final class SeveralDataSources {
  private static final int DEEPEST = 50;

  private SeveralDataSources() {}

  /** Whether a server has refused a second data source. */
  static boolean refused(Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < DEEPEST; t = t.getCause(), depth++) {
      String message = t.getMessage();
      // Open Liberty has resources of one phase, Payara such as are not XA.
      if (t instanceof IllegalStateException
          && message != null
          && (message.contains("multiple 1PC") || message.contains("non-XA"))) {
        return true;
      }
    }
    return false;
  }

  /** What to say of that. */
  static ReadpastException refusal(Exception thrown, String dataSource) {
    return new ReadpastException(
        "a transaction cannot have a second data source beside '"
            + dataSource
            + "' (readpast.datasource) where neither is XA, even if both lead to one database; name"
            + " the application's own data source in readpast.datasource, or make both XA",
        thrown);
  }

  /** What to say of a handler's transaction that failed at its commit. */
  static Exception atCommit(RollbackException thrown, Transactions transactions) {
    if (hasReason(thrown)) {
      return thrown;
    }
    return new ReadpastException(
        "the handler returned, but its transaction was rolled back instead of committed; the"
            + " server's log says why. If it had data sources of several databases (XA), each of"
            + " these needs room to prepare it: max_prepared_transactions"
            + room(transactions),
        thrown);
  }

  private static boolean hasReason(@Nullable Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < DEEPEST; t = t.getCause(), depth++) {
      if (t instanceof SQLException) {
        return true;
      }
    }
    return false;
  }

  private static String room(Transactions transactions) {
    try {
      DatabaseHealth.Prepared prepared =
          transactions.bare(() -> new DatabaseHealth(transactions).prepared());
      return ", of which that of the queue has "
          + prepared.most()
          + " and "
          + prepared.now()
          + " in use now";
    } catch (RuntimeException e) {
      return "";
    }
  }
}
