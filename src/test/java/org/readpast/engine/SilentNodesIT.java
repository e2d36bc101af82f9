package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests how long a node must have sent its own heartbeats before it declares another one dead. */
class SilentNodesIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).lease(LEASE);

  @AfterEach
  void close() {
    node.close();
  }

  private String now() {
    return value(database, "select clock_timestamp()");
  }

  /** Inserts a node whose last heartbeat was a minute ago. */
  private void insertSilentNode(Duration lease) {
    database.execute(
        """
        insert into readpast_node (id, name, version, beat_at, lease_ms, queues, types)
        values (gen_random_uuid(), 'silent', 'x', clock_timestamp() - interval '1 minute', %d, '{}', '{}')"""
            .formatted(lease.toMillis()));
  }

  /** Returns the number of ms from the given time until the silent node was declared dead. */
  private long declaredDeadAfter(String since) {
    String after =
        """
        select cast(extract(epoch from ended_at - timestamptz '%s') * 1000 as bigint)
        from readpast_node where name = 'silent' and state = 'DEAD'"""
            .formatted(since);
    Await.until(SOON, "the node is declared dead", () -> !column(database, after).isEmpty());
    return count(database, after);
  }

  @Test
  void node_with_a_longer_lease_has_the_time_of_its_lease_to_return() {
    String start = now();
    insertSilentNode(LEASE.multipliedBy(3));

    node.start();

    assertThat(declaredDeadAfter(start)).isGreaterThan(LEASE.multipliedBy(3).toMillis());
  }

  @Test
  void node_that_was_cut_off_together_with_another_one_gives_it_three_leases_to_return() {
    node.start();
    String returned = now();
    database.execute(
        "update readpast_node set started_at = started_at - interval '1 hour', steady_since = clock_timestamp()");
    insertSilentNode(LEASE);

    assertThat(declaredDeadAfter(returned)).isGreaterThan(LEASE.multipliedBy(3).toMillis());
  }
}
