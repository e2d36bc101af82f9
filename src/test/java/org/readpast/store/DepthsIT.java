package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.database.Sql;
import org.readpast.retention.RetentionStore;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests that the depths of queues are counted once a minute, by any node. */
class DepthsIT {
  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final LocalTransactions others = new LocalTransactions(database);

  @AfterEach
  void close() {
    transactions.close();
    others.close();
  }

  private static void enqueue(Database database) {
    database.execute(
        "insert into readpast_queue (name) values ('q'), ('empty') on conflict do nothing");
    database.execute(
        "insert into readpast_job (queue, type, state, position, available_at, payload)"
            + " select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), '{}'"
            + " from generate_series(1, 3)");
  }

  private static List<String> note(LocalTransactions by) {
    return by.requiresNew(
        () -> {
          new RetentionStore(by).noteDepths();
          return Sql.rows(
              by.entityManager(),
              "select queue, depth from readpast_depth",
              row -> row.text(0) + " " + row.number(1));
        });
  }

  @Test
  void only_one_of_several_nodes_counts_at_the_same_time() {
    enqueue(database);
    List<String> noted =
        transactions.requiresNew(
            () -> {
              new RetentionStore(transactions).noteDepths();
              return note(others);
            });
    assertThat(noted).as("the first count has not committed").isEmpty();
    assertThat(database).satisfies(d -> assertThat(note(others)).contains("q 3"));
  }

  @Test
  void queue_is_counted_once_in_a_minute() {
    enqueue(database);
    assertThat(note(transactions)).containsExactly("q 3");
    database.execute("update readpast_depth set minute = minute + interval '1 minute'");
    database.execute(
        "insert into readpast_depth (minute, queue, depth)"
            + " select date_trunc('minute', clock_timestamp()), 'other', 1");
    enqueue(database);
    assertThat(note(others)).containsExactlyInAnyOrder("q 3", "other 1");
  }
}
