package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.stateOf;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.api.GroupFailure;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.JobDependencies;
import org.readpast.model.NewJob;
import org.readpast.model.RetryPolicy;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Tests that followers wait for the writers that were open when the followers were first seen, and
 * for no other writers.
 */
class OpenWritersIT {
  private static final String UNKEPT = "unkept";

  private final List<Connection> writers = new ArrayList<>();
  private Database database;
  private Database otherRole;
  private LocalTransactions transactions;
  private StepNode node;

  @BeforeEach
  void useSharedServer() {
    use(TestDatabase.withTables(), TestPostgres.shared());
  }

  @AfterEach
  void close() throws SQLException {
    for (Connection writer : writers) {
      writer.close();
    }
    transactions.close();
  }

  private void use(Database owned, TestPostgres server) {
    database = owned;
    Database superuser = server.superuser();
    otherRole = new Database(database.url(), superuser.user(), superuser.password());
    transactions = new LocalTransactions(database);
    node = new StepNode("n", transactions, RetryPolicy.DEFAULT, List.of("t"), UNKEPT);
    node.register();
  }

  private long enqueue(String queue, JobDependencies dependencies) {
    NewJob job =
        new NewJob(
            queue,
            "t",
            4,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            dependencies,
            "{}",
            null);
    return node.enqueue(List.of(job)).get(0).id();
  }

  private long enqueueAfter(long predecessor) {
    return enqueue(
        "q",
        new JobDependencies(
            null,
            GroupFailure.SKIP,
            null,
            0,
            null,
            List.of(predecessor),
            List.of(),
            PredecessorFailure.HOLD));
  }

  /** Completes a job and removes its rows. */
  private long completed() {
    long id = enqueue(UNKEPT, JobDependencies.ALONE);
    node.acknowledge(node.lease(UNKEPT, 1, false));
    return id;
  }

  /** Opens a transaction of another role, whose start PostgreSQL does not show. */
  private Connection writer(String statement) throws SQLException {
    Connection writer = otherRole.connect();
    writers.add(writer);
    writer.setAutoCommit(false);
    try (var written = writer.createStatement()) {
      written.execute(statement);
    }
    return writer;
  }

  private Connection writer() throws SQLException {
    return writer(
        """
        insert into readpast_job (queue, type, state, available_at, payload)
        values ('q', 't', 'SCHEDULED', 'infinity', '{}')""");
  }

  private void assertThatItGoesOn(long follower) {
    node.resolveAll();
    assertThat(stateOf(database, follower)).isEqualTo("AVAILABLE");
  }

  private void assertThatItWaits(long follower) {
    node.resolveAll();
    assertThat(stateOf(database, follower)).isEqualTo("BLOCKED");
  }

  @Test
  void follower_is_released_once_the_writers_open_at_its_check_have_ended() throws SQLException {
    long predecessor = completed();
    Connection first = writer();
    Connection second = writer();
    long follower = enqueueAfter(predecessor);
    node.resolve();
    writer();
    assertThatItWaits(follower);
    writer();
    first.commit();
    assertThatItWaits(follower);
    second.rollback();
    assertThatItGoesOn(follower);
  }

  @Test
  void follower_invisible_to_its_predecessors_end_is_released_despite_a_later_writer()
      throws SQLException {
    long predecessor = enqueue(UNKEPT, JobDependencies.ALONE);
    Connection ends = writer("delete from readpast_job where id = " + predecessor);
    long follower = enqueueAfter(predecessor);
    node.resolve();
    writer();
    assertThatItWaits(follower);
    ends.commit();
    assertThatItGoesOn(follower);
  }

  @Test
  void follower_with_a_live_predecessor_is_not_rechecked_for_later_writers() throws SQLException {
    Connection before = writer();
    long follower = enqueueAfter(enqueue("q", JobDependencies.ALONE));
    assertThatItWaits(follower);
    writer();
    assertThatItWaits(follower);
    assertThat(unseen()).isEqualTo(1);
    before.commit();
    assertThatItWaits(follower);
    assertThat(unseen()).isZero();
  }

  private long unseen() {
    return TestDatabase.count(
        database, "select count(*) from readpast_predecessor where not decided");
  }

  @Test
  void follower_is_released_although_the_database_clock_was_set_back() throws SQLException {
    Connection before = writer();
    long follower = enqueueAfter(completed());
    node.resolve();
    database.execute("update readpast_predecessor set seen_at = seen_at + interval '5 hours'");
    writer();
    assertThatItWaits(follower);
    before.commit();
    assertThatItGoesOn(follower);
  }

  @Test
  void follower_waits_only_for_transactions_prepared_before_its_check() throws SQLException {
    prepare(writer(), "early");
    long follower = enqueueAfter(completed());
    node.resolve();
    prepare(writer(), "late");
    try {
      assertThatItWaits(follower);
      otherRole.execute("commit prepared 'early'");
      assertThatItGoesOn(follower);
    } finally {
      otherRole.execute("rollback prepared 'late'");
    }
  }

  private static void prepare(Connection writer, String name) throws SQLException {
    try (var statement = writer.createStatement()) {
      statement.execute("prepare transaction '" + name + "'");
    }
    writer.commit();
  }

  @Test
  void follower_waits_for_a_prepared_transaction_that_the_database_renamed_when_it_started()
      throws SQLException {
    transactions.close();
    TestPostgres postgres = TestPostgres.durable("max_prepared_transactions=5");
    Database own = postgres.newDatabase();
    TestDatabase.migrate(own);
    use(own, postgres);
    long predecessor = enqueue(UNKEPT, JobDependencies.ALONE);
    Connection ends = writer("delete from readpast_job where id = " + predecessor);
    long follower = enqueueAfter(predecessor);
    node.resolve();
    prepare(ends, "end");
    transactions.close();
    postgres.process().stopImmediately();
    postgres.process().start();
    use(own, postgres);
    long other = enqueueAfter(completed());
    assertThatItWaits(follower);
    assertThatItWaits(other);
    otherRole.execute("commit prepared 'end'");
    assertThatItGoesOn(follower);
    assertThatItGoesOn(other);
  }
}
