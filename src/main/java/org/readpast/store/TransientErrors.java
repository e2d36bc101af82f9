package org.readpast.store;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells errors that another try may overcome from those that it will not, by SQLSTATE. */
public final class TransientErrors {
  // Serialization failure, deadlock, lock not available, shutdown and crash of the server, starting
  // up, too many
  // connections, and a standby that has not been promoted yet.
  private static final Set<String> STATES =
      Set.of("40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300", "25006");

  private static final Set<String> OUTAGES = Set.of("57P01", "57P02", "57P03", "53300", "25006");

  private TransientErrors() {}

  /**
   * Whether the database cannot be used now. All that PostgreSQL and its driver say bears a state;
   * what a server's pool says when it has no connection does not.
   */
  public static boolean isOutage(@Nullable Throwable thrown) {
    String state = state(thrown);
    return state == null
        ? thrown instanceof DatabaseUnavailableException || hasSqlException(thrown)
        : OUTAGES.contains(state) || isLost(state);
  }

  private static boolean hasSqlException(@Nullable Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 50; t = t.getCause(), depth++) {
      if (t instanceof SQLException) {
        return true;
      }
    }
    return false;
  }

  /** The first state that is named on the way to the cause. */
  private static @Nullable String state(@Nullable Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 50; t = t.getCause(), depth++) {
      if (t instanceof SQLException e && e.getSQLState() != null) {
        return e.getSQLState();
      }
    }
    return null;
  }

  private static boolean isLost(String state) {
    return state.startsWith("08");
  }

  /** Whether the error, one of its causes or one of their next exceptions is transient. */
  public static boolean isTransient(@Nullable Throwable thrown) {
    int depth = 0;
    for (Throwable t = thrown; t != null && depth < 50; t = t.getCause(), depth++) {
      for (SQLException e = t instanceof SQLException s ? s : null;
          e != null;
          e = e.getNextException()) {
        String state = e.getSQLState();
        if (state != null && (STATES.contains(state) || isLost(state))) {
          return true;
        }
      }
    }
    return false;
  }
}
