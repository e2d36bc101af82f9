package org.readpast.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/** Takes all jobs of a filled table, on as many connections as call it; these share the cursor. */
final class CeilingDrain {
  private static final int BATCH = 100;
  private static final Timestamp START = new Timestamp(0);

  private final AtomicReference<Timestamp> cursor = new AtomicReference<>(START);

  /** Claims 100 and commits, deletes them and commits. */
  void leased(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (var lease = connection.prepareStatement(CeilingSql.LEASE);
        var delete = connection.prepareStatement(CeilingSql.DELETE_LEASED)) {
      lease.setInt(4, BATCH);
      for (var from = cursor.get(); ; from = cursor.get()) {
        var ids = take(lease, from);
        if (ids.length == 0 && from != START) {
          // Nothing may be left behind the cursor.
          ids = take(lease, START);
        }
        if (ids.length == 0) {
          return;
        }
        delete.setObject(1, ids);
        delete.executeUpdate();
      }
    }
  }

  /** Locks one, deletes it and commits. */
  void singly(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (var lock = connection.prepareStatement(CeilingSql.LOCK_ONE);
        var delete = connection.prepareStatement(CeilingSql.DELETE_ONE)) {
      for (var from = cursor.get(); ; from = cursor.get()) {
        var ids = take(lock, from);
        if (ids.length == 0 && from != START) {
          ids = take(lock, START);
        }
        if (ids.length == 0) {
          connection.commit();
          return;
        }
        delete.setLong(1, ids[0]);
        delete.executeUpdate();
        connection.commit();
      }
    }
  }

  private long[] take(PreparedStatement statement, Timestamp from) throws SQLException {
    statement.setString(1, "q");
    statement.setInt(2, 4);
    statement.setTimestamp(3, from);
    try (var rows = statement.executeQuery()) {
      return read(rows);
    }
  }

  private long[] read(ResultSet rows) throws SQLException {
    var ids = new long[BATCH];
    var count = 0;
    while (rows.next()) {
      ids[count++] = rows.getLong(1);
      rows.getInt(2);
      rows.getString(3);
      if (rows.isLast()) {
        // The cursor is a hint: the last row will do, which in a table just filled is the latest.
        var last = rows.getTimestamp(4);
        cursor.accumulateAndGet(last, (old, seen) -> seen.after(old) ? seen : old);
      }
    }
    return Arrays.copyOf(ids, count);
  }
}
