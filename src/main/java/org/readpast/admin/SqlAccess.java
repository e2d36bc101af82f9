package org.readpast.admin;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Names;
import org.readpast.model.SqlRefusedException;

/**
 * Decides which SQL may be executed, and on which data sources. By default, no SQL is allowed, and
 * only an administrator can allow it.
 */
public final class SqlAccess {
  private final Allowed allowed;
  private final Function<String, DataSource> lookup;

  /**
   * @param lookup finds a data source by its JNDI name; the configuration contains all of these
   *     names
   */
  public SqlAccess(Allowed allowed, Function<String, DataSource> lookup) {
    this.allowed = allowed;
    this.lookup = lookup;
  }

  /**
   * Holds the SQL that the configuration allows.
   *
   * @param dataSources the JNDI names that rules and jobs may use
   * @param own the data source of the queue
   * @param timeout the maximum duration of one statement
   * @param given true if jobs may contain their own statements
   * @param statements the configured statements by name
   */
  public record Allowed(
      List<String> dataSources,
      String own,
      Duration timeout,
      boolean given,
      Map<String, String> statements) {}

  /**
   * Describes a data source on which SQL is allowed.
   *
   * @param own true if the queue uses the data source
   */
  public record Source(String name, boolean own, DataSource dataSource) {}

  /**
   * Returns a data source by its name; null means the data source of the queue.
   *
   * @throws SqlRefusedException if the data source is not allowed
   */
  public Source source(@Nullable String name) {
    String wanted = name == null ? allowed.own() : name;
    if (allowed.dataSources().isEmpty()) {
      throw new SqlRefusedException(
          "SQL is disabled on this server; to enable it, name data sources in"
              + " readpast.sql.datasources");
    }
    // From here on, the text from the configuration is used for the lookup instead of the caller's
    // text.
    String known =
        allowed.dataSources().stream()
            .filter(wanted::equals)
            .findFirst()
            .orElseThrow(
                () ->
                    new SqlRefusedException(
                        "data source '"
                            + Names.excerpt(wanted)
                            + "' is not allowed; readpast.sql.datasources allows "
                            + String.join(", ", allowed.dataSources())));
    return new Source(known, isOwn(known), lookup.apply(known));
  }

  /** Returns true if the name is that of the queue's data source, or null. */
  public boolean isOwn(@Nullable String name) {
    return name == null || name.equals(allowed.own());
  }

  /** Returns the maximum duration of one statement. */
  public Duration timeout() {
    return allowed.timeout();
  }

  /**
   * Returns the text of a named statement.
   *
   * @throws SqlRefusedException if the statement does not exist
   */
  public String statement(String name) {
    String text = allowed.statements().get(name);
    if (text == null) {
      throw new SqlRefusedException(
          "statement '"
              + Names.excerpt(name)
              + "' does not exist; configure it as readpast.sql.statement.\"<name>\"; "
              + KnownNames.list(
                  "statements", allowed.statements().keySet().stream().sorted().toList()));
    }
    return text;
  }

  /**
   * Returns a statement that a job contains.
   *
   * @throws SqlRefusedException if jobs must not contain statements
   */
  public String given(String text) {
    if (!allowed.given()) {
      throw new SqlRefusedException(
          "jobs must not contain SQL; name a configured statement, or set readpast.sql.given=true");
    }
    return text;
  }
}
