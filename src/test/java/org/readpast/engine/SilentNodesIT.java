package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.column;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestDatabase.value;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.store.MaintenanceStore;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests what a node must know of its own heartbeats before it declares another one dead. */
class SilentNodesIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).lease(LEASE);
  private final LocalTransactions transactions = new LocalTransactions(database);

  @AfterEach
  void close() {
    node.close();
    transactions.close();
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

  /** Inserts a node that has sent heartbeats for an hour; returns its number. */
  private int insertNode(String name, Duration lease, Duration silentFor) {
    database.execute(
        """
        insert into readpast_node (id, name, version, started_at, steady_since, beat_at, lease_ms, queues, types)
        select gen_random_uuid(), '%s', 'x', t - interval '1 hour', t - interval '1 hour',
          t - %d * interval '1 millisecond', %d, '{}', '{}'
        from (select clock_timestamp() as t) now"""
            .formatted(name, silentFor.toMillis(), lease.toMillis()));
    return (int) count(database, "select max(no) from readpast_node");
  }

  private List<String> declaredDeadBy(int no) {
    MaintenanceStore store = new MaintenanceStore(transactions);
    return transactions.autoCommit(() -> store.declareDead(no)).stream()
        .map(MaintenanceStore.Dead::name)
        .toList();
  }

  /** Waits until the PostgreSQL of the tests has run for longer than the leases. */
  private void awaitDeclaredDeadBy(int no) {
    Await.until(
        SOON,
        "the node is declared dead",
        () -> {
          database.execute("update readpast_node set beat_at = clock_timestamp() where no = " + no);
          return declaredDeadBy(no).equals(List.of("silent"));
        });
  }

  @Test
  void node_whose_own_heartbeat_is_late_declares_no_node_dead() {
    insertNode("silent", Duration.ofSeconds(6), Duration.ofSeconds(7));
    int late = insertNode("late", Duration.ofSeconds(6), Duration.ofSeconds(5));

    assertThat(declaredDeadBy(late)).isEmpty();
    awaitDeclaredDeadBy(late);
  }

  @Test
  void node_with_a_longer_lease_declares_no_node_dead_that_is_silent_for_less() {
    insertNode("silent", Duration.ofSeconds(1), Duration.ofSeconds(3));
    int longer = insertNode("longer", Duration.ofSeconds(6), Duration.ZERO);

    assertThat(declaredDeadBy(longer)).isEmpty();
    awaitDeclaredDeadBy(longer);
  }
}
