package org.readpast.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.support.Database;

/**
 * Measures the throughput of PostgreSQL itself with plain JDBC, which no queue on it can exceed.
 */
final class Ceiling {
  static final int CONNECTIONS = 8;
  private static final int ROWS_PER_INSERT = 1_000;

  private final Database database;

  Ceiling(Database database) {
    this.database = database;
  }

  /** Performs the work of a connection once. */
  @FunctionalInterface
  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  /**
   * Returns the number of jobs per second if 100 jobs are claimed and committed, then deleted and
   * committed.
   */
  double drainLeased(int jobs) throws Exception {
    return drainLeased(jobs, CONNECTIONS);
  }

  /** Returns the rate of leased jobs on the given number of connections. */
  double drainLeased(int jobs, int connections) throws Exception {
    fill(jobs);
    return drainFilled(jobs, connections);
  }

  /** Returns the rate of leased jobs for the jobs that {@link #fill} has left. */
  double drainFilled(int jobs) throws Exception {
    return drainFilled(jobs, CONNECTIONS);
  }

  private double drainFilled(int jobs, int connections) throws Exception {
    var drain = new CeilingDrain();
    return perSecond(jobs, connections, drain::leased);
  }

  /**
   * Returns the number of jobs per second if 100 jobs are claimed in autocommit mode, and then each
   * job is deleted under its fence and committed.
   */
  double drainLeasedSingly(int jobs) throws Exception {
    fill(jobs);
    var drain = new CeilingDrain();
    return perSecond(jobs, drain::leasedSingly);
  }

  /** Returns the number of jobs per second if each job is locked, deleted and committed. */
  double drainSingly(int jobs) throws Exception {
    fill(jobs);
    var drain = new CeilingDrain();
    return perSecond(jobs, drain::singly);
  }

  /**
   * Returns the number of rows per second if each row is inserted in a separate transaction.
   *
   * @param transaction true to begin and commit a transaction for each row, as applications do;
   *     false for autocommit
   */
  double insertSingly(int jobs, boolean transaction) throws Exception {
    database.execute(CeilingSql.TABLE);
    var left = new AtomicInteger(jobs);
    return perSecond(
        jobs,
        connection -> {
          connection.setAutoCommit(!transaction);
          try (var insert = connection.prepareStatement(CeilingSql.INSERT_ONE)) {
            while (left.getAndDecrement() > 0) {
              insert.setString(1, "q");
              insert.setInt(2, 4);
              insert.setString(3, Peer.PAYLOAD);
              insert.executeUpdate();
              if (transaction) {
                connection.commit();
              }
            }
          }
        });
  }

  /**
   * Returns the number of rows per second in one transaction on one connection, with 1,000 rows per
   * statement.
   */
  double insertInBulk(int jobs) throws Exception {
    database.execute(CeilingSql.TABLE);
    try (var connection = database.connect();
        var insert = connection.prepareStatement(CeilingSql.INSERT_MANY)) {
      connection.setAutoCommit(false);
      var start = System.nanoTime();
      for (int left = jobs; left > 0; left -= ROWS_PER_INSERT) {
        var payloads = Collections.nCopies(Math.min(left, ROWS_PER_INSERT), Peer.PAYLOAD);
        insert.setString(1, "q");
        insert.setInt(2, 4);
        insert.setArray(3, connection.createArrayOf("text", payloads.toArray()));
        insert.executeUpdate();
      }
      connection.commit();
      return jobs * 1e9 / (System.nanoTime() - start);
    }
  }

  /**
   * Returns the time from just before one connection commits a NOTIFY until the driver of another
   * connection delivers it.
   */
  Peer.Latency notifyRoundTrip(int perSecond, int seconds) throws Exception {
    var starts = new Load.Starts(Load.jobs(perSecond, seconds));
    try (var listener = new CeilingListener(database, starts);
        var connection = database.connect();
        var notify = connection.prepareStatement("select pg_notify('ceiling', ?)")) {
      listener.start();
      Load.Step send =
          number -> {
            notify.setString(1, Integer.toString(number));
            notify.execute();
          };
      return Load.latency(perSecond, seconds, send, starts);
    }
  }

  void fill(int jobs) throws SQLException {
    database.execute(CeilingSql.TABLE);
    try (var connection = database.connect();
        var fill = connection.prepareStatement(CeilingSql.FILL)) {
      fill.setInt(1, jobs);
      fill.setString(2, Peer.PAYLOAD);
      fill.setInt(3, jobs);
      fill.executeUpdate();
    }
    // Without statistics, the plan of the claim may contain a sort.
    database.execute("vacuum analyze job");
  }

  private double perSecond(int jobs, Work work) throws Exception {
    return perSecond(jobs, CONNECTIONS, work);
  }

  private double perSecond(int jobs, int number, Work work) throws Exception {
    var connections = new ArrayList<Connection>();
    try {
      List<Callable<Void>> workers = new ArrayList<>();
      for (int i = 0; i < number; i++) {
        var connection = database.connect();
        connections.add(connection);
        workers.add(
            () -> {
              work.on(connection);
              return null;
            });
      }
      return Load.perSecond(jobs, workers);
    } finally {
      for (var connection : connections) {
        connection.close();
      }
    }
  }
}
