package org.readpast.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.IntConsumer;
import org.postgresql.PGConnection;
import org.readpast.support.Database;

/** Waits on its own thread for notifications of the channel {@code ceiling}. */
final class CeilingListener extends Thread implements AutoCloseable {
  private static final int WAIT_MILLIS = 500;

  private final Connection connection;
  private final IntConsumer heard;
  private volatile boolean closed;

  CeilingListener(Database database, IntConsumer heard) throws SQLException {
    super("ceiling-listener");
    this.heard = heard;
    connection = database.connect();
    try (var statement = connection.createStatement()) {
      statement.execute("listen ceiling");
    }
  }

  @Override
  public void run() {
    try {
      var notifications = connection.unwrap(PGConnection.class);
      while (!closed) {
        for (var notification : notifications.getNotifications(WAIT_MILLIS)) {
          heard.accept(Integer.parseInt(notification.getParameter()));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws Exception {
    closed = true;
    join();
    connection.close();
  }
}
