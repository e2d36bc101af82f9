package org.readpast.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Claims and deletes all jobs of a filled table. All connections that call this object share the
 * cursor.
 */
final class CeilingDrain {
  private static final int BATCH = 100;
  private static final Timestamp START = new Timestamp(0);

  private final AtomicReference<Timestamp> cursor = new AtomicReference<>(START);

  /**
   * Holds the result of a claim.
   *
   * @param attempts the claim numbers of the jobs
   */
  private record Claimed(long[] ids, int[] attempts) {}

  /** Claims 100 jobs and commits, then deletes them and commits. */
  void leased(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (var lease = connection.prepareStatement(CeilingSql.LEASE);
        var delete = connection.prepareStatement(CeilingSql.DELETE_LEASED)) {
      lease.setInt(4, BATCH);
      for (var claimed = next(lease); claimed.ids.length > 0; claimed = next(lease)) {
        delete.setObject(1, claimed.ids);
        delete.executeUpdate();
      }
    }
  }

  /** Claims 100 jobs in autocommit mode, then deletes each of them and commits. */
  void leasedSingly(Connection connection) throws SQLException {
    try (var lease = connection.prepareStatement(CeilingSql.LEASE);
        var delete = connection.prepareStatement(CeilingSql.DELETE_FENCED)) {
      lease.setInt(4, BATCH);
      for (var claimed = next(lease); claimed.ids.length > 0; claimed = next(lease)) {
        // In an application, the work of a job would be in the transaction that ends the job.
        connection.setAutoCommit(false);
        for (int i = 0; i < claimed.ids.length; i++) {
          delete.setLong(1, claimed.ids[i]);
          delete.setInt(2, claimed.attempts[i]);
          if (delete.executeUpdate() != 1) {
            throw new IllegalStateException("the lease of job " + claimed.ids[i] + " was lost");
          }
          connection.commit();
        }
        connection.setAutoCommit(true);
      }
    }
  }

  /** Locks one job, deletes it and commits. */
  void singly(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try (var lock = connection.prepareStatement(CeilingSql.LOCK_ONE);
        var delete = connection.prepareStatement(CeilingSql.DELETE_ONE)) {
      for (var claimed = next(lock); claimed.ids.length > 0; claimed = next(lock)) {
        delete.setLong(1, claimed.ids[0]);
        delete.executeUpdate();
        connection.commit();
      }
      connection.commit();
    }
  }

  /** Returns an empty claim when all jobs have been claimed. */
  private Claimed next(PreparedStatement statement) throws SQLException {
    var from = cursor.get();
    var claimed = take(statement, from);
    // The table is read from the start once more, because no job may be left before the cursor.
    return claimed.ids.length == 0 && from != START ? take(statement, START) : claimed;
  }

  private Claimed take(PreparedStatement statement, Timestamp from) throws SQLException {
    statement.setString(1, "q");
    statement.setInt(2, 4);
    statement.setTimestamp(3, from);
    try (var rows = statement.executeQuery()) {
      return read(rows);
    }
  }

  private Claimed read(ResultSet rows) throws SQLException {
    var ids = new long[BATCH];
    var attempts = new int[BATCH];
    var count = 0;
    while (rows.next()) {
      ids[count] = rows.getLong(1);
      attempts[count++] = rows.getInt(2);
      rows.getString(3);
      if (rows.isLast()) {
        // The cursor is only a hint, so reading the last row is enough: in a table that was just
        // filled, the last row has the latest time.
        var last = rows.getTimestamp(4);
        cursor.accumulateAndGet(last, (old, seen) -> seen.after(old) ? seen : old);
      }
    }
    return new Claimed(Arrays.copyOf(ids, count), Arrays.copyOf(attempts, count));
  }
}
