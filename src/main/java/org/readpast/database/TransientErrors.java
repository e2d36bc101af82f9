package org.readpast.database;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.ReadpastException;
import org.readpast.model.Causes;

/**
 * Uses SQLSTATE to distinguish errors after which another attempt may succeed from all other
 * errors.
 */
public final class TransientErrors {
  // The SQLSTATEs of serialization failure, deadlock, lock not available, server shutdown, server
  // crash, server starting up, too many connections, and a standby that has not been promoted yet.
  private static final Set<String> STATES =
      Set.of("40001", "40P01", "55P03", "57P01", "57P02", "57P03", "53300", "25006");

  private static final Set<String> OUTAGES = Set.of("57P01", "57P02", "57P03", "53300", "25006");

  private static final String CANCELLED = "57014";

  private TransientErrors() {}

  /**
   * Returns true if the database is unavailable. All errors of PostgreSQL and its driver have an
   * SQLSTATE; the error of a server's pool that has no free connection does not. Nor does the
   * refusal of a second data source, which is an error of the application.
   */
  public static boolean isOutage(@Nullable Throwable thrown) {
    String state = state(thrown);
    return state == null
        ? thrown instanceof DatabaseUnavailableException
            || hasSqlException(thrown) && !isSecondDataSource(thrown)
        : OUTAGES.contains(state) || isLost(state);
  }

  /**
   * Returns the exception for the caller: a {@link DatabaseUnavailableException} for an outage,
   * otherwise the given exception.
   */
  public static RuntimeException forCaller(RuntimeException thrown) {
    return thrown instanceof ReadpastException || !isOutage(thrown)
        ? thrown
        : new DatabaseUnavailableException(
            "the database cannot be used at present: " + causeOf(thrown) + "; try again later",
            thrown);
  }

  /** Returns true if the sent data may have caused the error, and not the database or its state. */
  public static boolean mayBeCausedByData(Throwable thrown) {
    String state = state(thrown);
    return state == null
        ? !hasSqlException(thrown)
        : state.startsWith("22") || state.startsWith("23");
  }

  /** Returns true if a statement was cancelled because it took too long. */
  static boolean isCancelled(Throwable thrown) {
    return CANCELLED.equals(state(thrown));
  }

  /** Returns true if a server refused a second data source in a transaction. */
  public static boolean isSecondDataSource(@Nullable Throwable thrown) {
    return Causes.of(thrown).anyMatch(TransientErrors::isRefusal);
  }

  private static boolean isRefusal(Throwable thrown) {
    String message = thrown.getMessage();
    // The message of Open Liberty names one-phase resources; that of Payara names resources that
    // are not XA.
    return thrown instanceof IllegalStateException
        && message != null
        && (message.contains("multiple 1PC") || message.contains("non-XA"));
  }

  /** Returns true if a database, its driver or a connection pool failed. */
  public static boolean hasSqlException(@Nullable Throwable thrown) {
    return Causes.of(thrown).anyMatch(SQLException.class::isInstance);
  }

  /**
   * Returns the exception that the driver or the pool threw. If there are several, the innermost is
   * returned, because it names the database's address, which the exceptions below it do not.
   * Without such an exception, the root cause is returned.
   */
  public static Throwable causeOf(Throwable thrown) {
    return Causes.of(thrown)
        .filter(SQLException.class::isInstance)
        .reduce((outer, inner) -> inner)
        .orElseGet(() -> Causes.rootOf(thrown));
  }

  /** Returns the first SQLSTATE in the chain of causes. */
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

  /** Returns true if the error, one of its causes or one of their next exceptions is transient. */
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
