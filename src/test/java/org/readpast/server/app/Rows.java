package org.readpast.server.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.readpast.model.SchemaName;
import org.readpast.support.Await;

/**
 * Accesses the database as the application does, in the caller's transaction if one is active. The
 * configured schema is inserted before the names of Readpast's tables, as an application would have
 * to write it.
 */
@ApplicationScoped
public class Rows {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  /** Returns a connection in the same way as the application does. */
  public Connection connection() throws SQLException {
    return dataSource.getConnection();
  }

  /** Adds a row of business data. */
  public void write(String note) {
    run("insert into app_note (note) values (?)", note);
  }

  public long written(String note) {
    return count("select count(*) from app_note where note = ?", note);
  }

  /** Returns the id of the transaction that wrote a note. */
  public String transactionOfNote(String note) {
    return value("select xmin from app_note where note = ?", note);
  }

  public String transactionOfJob(long id) {
    return value("select xmin from readpast_job where id = ?", id);
  }

  /** Returns the id of the transaction that ended a job. */
  public String transactionOfEnd(long id) {
    return value("select xmin from readpast_job_history where id = ?", id);
  }

  public long jobs(String correlationId) {
    return count("select count(*) from readpast_job where correlation_id = ?", correlationId);
  }

  public String state(long id) {
    return value(
        "select state from readpast_job where id = ? union all"
            + " select state from readpast_job_history where id = ?",
        id,
        id);
  }

  /**
   * Waits until a job has the given state. If the state is not reached, the error reports the job's
   * state and its failures.
   */
  public void awaitState(long id, String state) {
    try {
      Await.until(LIMIT, "state " + state + " of job " + id, () -> state.equals(state(id)));
    } catch (AssertionError e) {
      throw new AssertionError(
          e.getMessage()
              + "; it is "
              + value("select cast(j as text) from readpast_job j where id = ?", id)
              + failures(id, "cast(readpast_failure as text)"),
          e);
    }
  }

  /** Returns one column of the failures of a job, in the order of the attempts. */
  public List<String> failures(long id, String column) {
    return column("select " + column + " from readpast_failure where job_id = ? order by id", id);
  }

  public long count(String sql, Object... parameters) {
    return Long.parseLong(value(sql, parameters));
  }

  /** Returns the first column of the only row, or null if there is no row. */
  public String value(String sql, Object... parameters) {
    List<String> column = column(sql, parameters);
    return column.isEmpty() ? null : column.get(0);
  }

  public List<String> column(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepare(connection, sql, parameters);
        var rows = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  public void run(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepare(connection, sql, parameters)) {
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /**
   * Leaves a connection in a mode without auto-commit, like an application that manages commits
   * itself.
   */
  public static void leaveConnectionWithoutAutoCommit(String dataSource) {
    try (Connection connection = InitialContext.<DataSource>doLookup(dataSource).getConnection()) {
      connection.setAutoCommit(false);
      prepare(connection, "select 1").execute();
      connection.commit();
    } catch (NamingException | SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    SchemaName schema =
        new SchemaName(
            ConfigProvider.getConfig()
                .getOptionalValue(SchemaName.PROPERTY, String.class)
                .orElse(null));
    PreparedStatement statement = connection.prepareStatement(schema.qualify(sql));
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
