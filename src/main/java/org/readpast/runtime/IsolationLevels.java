package org.readpast.runtime;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.readpast.api.ReadpastException;

/**
 * Refuses data sources whose transactions do not see rows that other transactions commit in the
 * meantime. With such a data source, claims would fail and be repeated, and the dependency resolver
 * would decide on data from before it acquired its lock.
 */
final class IsolationLevels {
  // PostgreSQL treats the level read uncommitted like read committed.
  private static final Set<String> SUFFICIENT = Set.of("read committed", "read uncommitted");

  // Selects the isolation level of the session, and the setting from which it comes.
  private static final String LEVEL =
      """
      select current_setting('transaction_isolation'), source from pg_settings
      where name = 'default_transaction_isolation'""";

  private final Map<String, DataSource> sources = new LinkedHashMap<>();

  /** Adds a data source; the same data source may be added under several keys. */
  IsolationLevels with(String key, String name, DataSource source) {
    sources.put("data source '" + name + "' (" + key + ")", source);
    return this;
  }

  /**
   * Queries the isolation level on a new connection of each data source. A level that the server
   * has set on the connection takes precedence over the defaults of the database and its role.
   */
  void require() {
    ConfigurationErrors errors = new ConfigurationErrors(key -> Optional.empty());
    sources.forEach((title, source) -> check(title, source, errors));
    errors.report();
  }

  private static void check(String title, DataSource source, ConfigurationErrors errors) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(LEVEL)) {
      row.next();
      String level = row.getString(1);
      if (!SUFFICIENT.contains(level)) {
        errors.add(
            title
                + " has isolation level "
                + level.toUpperCase(Locale.ROOT)
                + ", which is set by "
                + origin(row.getString(2))
                + ", but Readpast needs READ COMMITTED: set"
                + " isolationLevel=\"TRANSACTION_READ_COMMITTED\" on its"
                + " <dataSource> in Open Liberty, or"
                + " transaction-isolation-level=\"read-committed\" on its"
                + " connection pool in Payara; these also override the defaults of"
                + " the database");
      }
    } catch (SQLException e) {
      throw new ReadpastException(
          title + " could not be queried for its isolation level: " + e.getMessage(), e);
    }
  }

  private static String origin(String source) {
    return switch (source) {
      case "session" -> "the server's data source";
      case "client" -> "the options of the connection";
      case "user" -> "the role (ALTER ROLE ... SET default_transaction_isolation)";
      case "database" -> "the database (ALTER DATABASE ... SET default_transaction_isolation)";
      case "database user" ->
          "the role in this database (ALTER ROLE ... IN DATABASE ... SET"
              + " default_transaction_isolation)";
      default -> "PostgreSQL's configuration (default_transaction_isolation)";
    };
  }
}
