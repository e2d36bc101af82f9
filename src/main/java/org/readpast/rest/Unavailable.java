package org.readpast.rest;

import java.sql.SQLException;
import org.readpast.store.DatabaseUnavailableException;
import org.readpast.store.TransientErrors;

/** Tells a database that cannot be used now from a fault of ours. */
final class Unavailable {
  private Unavailable() {}

  static boolean causes(Throwable thrown) {
    return thrown instanceof DatabaseUnavailableException
        || TransientErrors.isTransient(thrown)
        || noConnection(thrown);
  }

  /** All that PostgreSQL and its driver say bears a state; what a server's pool says does not. */
  private static boolean noConnection(Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 50; t = t.getCause(), depth++) {
      if (t instanceof SQLException e) {
        return e.getSQLState() == null;
      }
    }
    return false;
  }
}
