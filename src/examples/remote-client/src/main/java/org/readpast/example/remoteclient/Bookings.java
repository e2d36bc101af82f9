package org.readpast.example.remoteclient;

import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Accesses the application's own table in the caller's transaction. */
@ApplicationScoped
public class Bookings {
  // The lock is needed if two servers start concurrently, because "if not exists" alone can then
  // fail.
  private static final String TABLE =
      """
      select pg_advisory_xact_lock(hashtext('org.readpast.example.remoteclient'));
      create table if not exists booking (
        room text primary key,
        confirmations int not null default 0
      );
      """;

  @Resource(lookup = "jdbc/readpast")
  private DataSource database;

  // The table is created when the application starts, because the transaction of its first use may
  // be rolled back.
  void createTable(@Observes @Initialized(ApplicationScoped.class) Object start) {
    try (var connection = database.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(TABLE);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the table of bookings", e);
    }
  }

  /** Adds a booking to the table. */
  public void add(String room) {
    change("insert into booking (room) values (?)", room);
  }

  /** Counts a confirmation of a booking. */
  public void confirm(String room) {
    change("update booking set confirmations = confirmations + 1 where room = ?", room);
  }

  private void change(String sql, String room) {
    try (Connection connection = database.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, room);
      if (statement.executeUpdate() != 1) {
        throw new IllegalStateException("there is no booking of room " + room);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
