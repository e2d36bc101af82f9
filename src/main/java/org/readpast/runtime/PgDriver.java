package org.readpast.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Calls methods of the PostgreSQL driver for which JDBC has no equivalent. This class uses
 * reflection, because a server loads the driver of a data source in a separate class loader, whose
 * classes an application cannot see.
 */
final class PgDriver {
  private final Class<?> connectionType;
  private final Method notifications;
  private final Method parameter;
  private final Method backend;

  /** Finds the driver through the class of a value that only the driver creates. */
  PgDriver(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select cast('{}' as json)")) {
      row.next();
      ClassLoader driver = row.getObject(1).getClass().getClassLoader();
      connectionType = Class.forName("org.postgresql.PGConnection", false, driver);
      backend = connectionType.getMethod("getBackendPID");
      notifications = connectionType.getMethod("getNotifications", int.class);
      parameter =
          Class.forName("org.postgresql.PGNotification", false, driver).getMethod("getParameter");
    } catch (ReflectiveOperationException e) {
      throw new SQLException("the driver of the data source is not the PostgreSQL JDBC driver", e);
    }
  }

  /** Returns the process id that the database assigned to the connection, without a round trip. */
  int backend(Connection connection) throws SQLException {
    try {
      return (Integer) backend.invoke(connection.unwrap(connectionType));
    } catch (ReflectiveOperationException e) {
      throw new SQLException(
          "the driver of the data source does not provide the process ids of its sessions", e);
    }
  }

  /** Waits for notifications and returns their payloads. */
  List<String> notifications(Connection connection, int millis) throws SQLException {
    try {
      Object[] received =
          (Object[]) notifications.invoke(connection.unwrap(connectionType), millis);
      List<String> texts = new ArrayList<>();
      if (received != null) {
        for (Object one : received) {
          texts.add((String) parameter.invoke(one));
        }
      }
      return texts;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new SQLException("the driver of the data source cannot receive notifications", e);
    }
  }
}
