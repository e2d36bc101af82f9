package org.readpast.admin;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Names;
import org.readpast.model.SqlRefusedException;

/** Where SQL from outside may go, and which: nothing, unless an administrator has allowed it. */
public final class SqlAccess {
  private final Allowed allowed;
  private final Function<String, DataSource> lookup;

  /**
   * @param lookup finds a data source by its JNDI name, which is always one of the configuration
   */
  public SqlAccess(Allowed allowed, Function<String, DataSource> lookup) {
    this.allowed = allowed;
    this.lookup = lookup;
  }

  /**
   * What the configuration allows.
   *
   * @param dataSources JNDI names that may be named by rules and jobs
   * @param own the one in which the queue is
   * @param timeout how long one statement may take
   * @param given whether jobs may bring statements of their own
   * @param statements by name
   */
  public record Allowed(
      List<String> dataSources,
      String own,
      Duration timeout,
      boolean given,
      Map<String, String> statements) {}

  /**
   * A data source on which SQL is allowed.
   *
   * @param own whether the queue is in it
   */
  public record Source(String name, boolean own, DataSource dataSource) {}

  /**
   * A data source by its name; null: the one of the queue.
   *
   * @throws SqlRefusedException unless it is allowed
   */
  public Source source(@Nullable String name) {
    String wanted = name == null ? allowed.own() : name;
    if (allowed.dataSources().isEmpty()) {
      throw new SqlRefusedException(
          "SQL is switched off on this server; to allow it, name data sources in readpast.sql.datasources");
    }
    // From here on it is the configuration's own text that is looked up.
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

  /** Whether the name stands for the data source of the queue; null does. */
  public boolean isOwn(@Nullable String name) {
    return name == null || name.equals(allowed.own());
  }

  /** How long one statement may take. */
  public Duration timeout() {
    return allowed.timeout();
  }

  /**
   * The text of a named statement.
   *
   * @throws SqlRefusedException if there is none
   */
  public String statement(String name) {
    String text = allowed.statements().get(name);
    if (text == null) {
      throw new SqlRefusedException(
          "there is no statement '"
              + Names.excerpt(name)
              + "'; configure it as readpast.sql.statement.\"<name>\"; "
              + Known.list("statements", allowed.statements().keySet().stream().sorted().toList()));
    }
    return text;
  }

  /**
   * A statement that came with a job.
   *
   * @throws SqlRefusedException unless such are allowed
   */
  public String given(String text) {
    if (!allowed.given()) {
      throw new SqlRefusedException(
          "jobs may not bring SQL of their own; name a configured statement, or set"
              + " readpast.sql.given=true");
    }
    return text;
  }
}
