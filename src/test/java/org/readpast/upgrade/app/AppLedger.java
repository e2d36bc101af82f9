package org.readpast.upgrade.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.readpast.upgrade.LedgerWriter;

/** Writes to the ledger through the data source that the application shares with the queue. */
@ApplicationScoped
public class AppLedger implements LedgerWriter {
  @Resource(lookup = "jdbc/readpast")
  DataSource dataSource;

  @Override
  public void execute(String sql, Object... parameters) {
    try (var connection = dataSource.getConnection();
        var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long number(String sql) {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String node() {
    return System.getProperty("readpast.node.name");
  }
}
