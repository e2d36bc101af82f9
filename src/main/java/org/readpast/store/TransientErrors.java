package org.readpast.store;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.ReadpastException;
import org.readpast.model.Causes;

/** Tells errors that another try may overcome from those that it will not, by SQLSTATE. */
public final class TransientErrors {
  // Serialization failure, deadlock, lock not available, shutdown and crash of the server, starting
  // up, too many
  // connections, and a standby that has not been promoted yet.
  private static final Set<String> STATES =
      Set.of("40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300", "25006");

  private static final Set<String> OUTAGES = Set.of("57P01", "57P02", "57P03", "53300", "25006");

  private static final String CANCELLED = "57014";

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

  /** Returns what a caller is to be thrown: an outage as an exception that says so. */
  public static RuntimeException forCaller(RuntimeException thrown) {
    return thrown instanceof ReadpastException || !isOutage(thrown)
        ? thrown
        : new DatabaseUnavailableException(
            "the database cannot be used now: " + causeOf(thrown) + "; try again later", thrown);
  }

  /** Whether what was sent may be at fault, and not the database or how it is. */
  public static boolean mayBeOfData(Throwable thrown) {
    String state = state(thrown);
    return state == null
        ? !hasSqlException(thrown)
        : state.startsWith("22") || state.startsWith("23");
  }

  /** Whether a statement was ended because it took too long. */
  static boolean isCancelled(Throwable thrown) {
    return CANCELLED.equals(state(thrown));
  }

  /** Whether it was a database, its driver or a pool of connections that failed. */
  public static boolean hasSqlException(@Nullable Throwable thrown) {
    return Causes.of(thrown).anyMatch(SQLException.class::isInstance);
  }

  /**
   * Returns what the driver or the pool has thrown, and of several the innermost: it names the
   * database's address, which what lies below it does not. Without one, the root of all causes.
   */
  public static Throwable causeOf(Throwable thrown) {
    return Causes.of(thrown)
        .filter(SQLException.class::isInstance)
        .reduce((outer, inner) -> inner)
        .or(() -> Causes.of(thrown).reduce((outer, inner) -> inner))
        .orElse(thrown);
  }

  /** The first state that is named on the way to the cause. */
  private static @Nullable String state(@Nullable Throwable thrown) {
    return Causes.of(thrown)
        .filter(SQLException.class::isInstance)
        .map(t -> ((SQLException) t).getSQLState())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static boolean isLost(String state) {
    return state.startsWith("08");
  }

  /** Whether the error, one of its causes or one of their next exceptions is transient. */
  public static boolean isTransient(@Nullable Throwable thrown) {
    return Causes.of(thrown)
        .filter(SQLException.class::isInstance)
        .anyMatch(t -> isTransient((SQLException) t));
  }

  private static boolean isTransient(SQLException thrown) {
    for (SQLException e = thrown; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && (STATES.contains(state) || isLost(state))) {
        return true;
      }
    }
    return false;
  }
}
