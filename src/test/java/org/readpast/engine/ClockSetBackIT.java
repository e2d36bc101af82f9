package org.readpast.engine;

import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.SettableClock;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests nodes while the clock of the database is set back. */
class ClockSetBackIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Database database = TestDatabase.withTables();
  private final SettableClock clock = SettableClock.installIn(database);
  private final TestNode first = new TestNode(database).lease(LEASE);
  private final TestNode second = new TestNode(database).lease(LEASE);

  @AfterEach
  void closeNodes() {
    first.close();
    second.close();
  }

  @Test
  void node_is_declared_dead_by_a_clock_that_was_set_back_by_more_than_the_uptime() {
    first.start();
    int no = Integer.parseInt(value(database, "select no from readpast_node"));
    second.start();
    first.die();

    // The shared database of the tests has not been running for that long.
    clock.setBack(Duration.ofDays(1_000));

    Await.until(
        SOON,
        "the silent node is declared dead",
        () -> value(database, "select state from readpast_node where no = " + no).equals("DEAD"));
  }

  @Test
  void session_of_a_dead_node_is_terminated_by_a_clock_that_was_set_back() throws Exception {
    try (Connection session = database.connect();
        var statement = session.createStatement()) {
      session.setAutoCommit(false);
      int pid;
      try (var row = statement.executeQuery("select pg_backend_pid()")) {
        row.next();
        pid = row.getInt(1);
      }
      database.execute(
          """
          insert into readpast_node (id, name, version, lease_ms, queues, types, state, ended_at, backends)
          values (gen_random_uuid(), 'dead', 'x', 2000, '{}', '{}', 'DEAD', clock_timestamp(), '{%d}')"""
              .formatted(pid));

      clock.setBack(Duration.ofHours(1));
      second.start();

      Await.until(
          SOON,
          "the session is terminated",
          () -> count(database, "select count(*) from pg_stat_activity where pid = " + pid) == 0);
    }
  }
}
