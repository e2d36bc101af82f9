package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestDatabase.count;
import static org.readpast.support.TestNode.job;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.store.BatchAdmin;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobResult;
import org.readpast.api.PredecessorFailure;
import org.readpast.database.Transactions;
import org.readpast.model.JobDependencies;
import org.readpast.model.RetryPolicy;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/**
 * Tests that the resolver splits a large amount of work into pieces, between which it releases
 * other ordered jobs.
 */
class ResolverPiecesIT {
  private static final int MANY = 6_300;
  private static final int MOST_OF_A_PIECE = 2_000;
  private static final String RESOLVED =
      "select count(*) from readpast_job where state = 'AVAILABLE'";

  private static final String LEFT = "select count(*) from readpast_job where batch is not null";
  private static final String ASKED = "select count(*) from readpast_cancellation";
  private static final String IN_GROUP =
      "select count(*) from readpast_job where group_key = 'g' and state = 'AVAILABLE'";

  private static final JobDependencies GROUP =
      new JobDependencies(
          "g", GroupFailure.SKIP, null, 0, null, List.of(), List.of(), PredecessorFailure.HOLD);

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private Runnable beforeEach = () -> {};
  private final StepNode node = node("n", watched());
  private final StepNode other = node("o", transactions);
  private Connection writer;

  private static StepNode node(String name, Transactions transactions) {
    return new StepNode(name, transactions, RetryPolicy.DEFAULT, List.of("t"), "unkept");
  }

  /** Returns transactions, each of which runs a step of the test at its beginning. */
  private Transactions watched() {
    return (Transactions)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("requiresNewUnbounded")) {
                beforeEach.run();
              }
              try {
                return method.invoke(transactions, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void begin() throws SQLException {
    // The statistics are those of an idle table, for which plans expect almost no rows.
    database.execute("analyze");
    node.register();
    other.register();
    writer = database.connect();
    writer.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    writer.close();
    transactions.close();
  }

  /** Tests the end of a job that has many followers. */
  private enum End {
    NEVER_COMMITTED,
    COMPLETED,
    DISCARDED
  }

  private void endWithFollowers(End end) throws SQLException {
    if (end == End.NEVER_COMMITTED) {
      try (var statement = writer.createStatement();
          var ids =
              statement.executeQuery(
                  """
                  insert into readpast_job (queue, type, state, available_at, payload)
                  values ('q', 't', 'SCHEDULED', 'infinity', '{}') returning id""")) {
        ids.next();
        addFollowers(ids.getLong(1));
      }
      writer.rollback();
      return;
    }
    addFollowers(other.enqueue(List.of(job("t", JobDependencies.ALONE))).get(0).id());
    ClaimedJob predecessor = other.lease("q", 1, false).get(0);
    if (end == End.COMPLETED) {
      other.acknowledge(List.of(predecessor));
    } else {
      other.record(
          predecessor, other.verdict(predecessor).returned(JobResult.failNow("never"), null));
    }
  }

  private void addFollowers(long predecessor) {
    JobDependencies after =
        new JobDependencies(
            null,
            GroupFailure.SKIP,
            null,
            0,
            null,
            List.of(predecessor),
            List.of(),
            PredecessorFailure.RUN);
    other.enqueue(Collections.nCopies(MANY, job("t", after)));
    other.resolveAll();
  }

  private void enqueueInGroup(int begun) {
    if (begun != 3) {
      return;
    }
    other.enqueue(List.of(job("t", GROUP)));
  }

  /**
   * Runs the resolver, and returns the count at the beginning of each transaction and at the end.
   *
   * @param inTheMiddle receives the number of transactions that have begun
   */
  private List<Long> resolveWhile(String counted, IntConsumer inTheMiddle) {
    List<Long> counts = new ArrayList<>();
    beforeEach =
        () -> {
          counts.add(count(database, counted));
          inTheMiddle.accept(counts.size());
        };
    node.resolveAll();
    counts.add(count(database, counted));
    return counts;
  }

  private static void assertPieces(List<Long> counts, int most) {
    for (int i = 1; i < counts.size(); i++) {
      assertThat(Math.abs(counts.get(i) - counts.get(i - 1))).isLessThanOrEqualTo(most);
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void followers_are_released_in_pieces_between_which_a_group_continues(End end)
      throws SQLException {
    endWithFollowers(end);
    List<Long> counts = resolveWhile(RESOLVED, this::enqueueInGroup);
    assertPieces(counts, MOST_OF_A_PIECE + 1);
    assertThat(counts.get(counts.size() - 1)).isEqualTo(MANY + 1);
    assertThat(count(database, "select position from readpast_job where group_key = 'g'"))
        .isLessThan(count(database, "select max(position) from readpast_job"));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void another_node_releases_the_remaining_followers_of_a_dead_node(End end) throws SQLException {
    endWithFollowers(end);
    die();
    assertThat(count(database, RESOLVED)).isPositive().isLessThan(MANY);
    other.resolveAll();
    assertThat(count(database, RESOLVED)).isEqualTo(MANY);
    assertThat(count(database, "select count(*) from readpast_dependency_event")).isZero();
  }

  private ClaimedJob cancelBatch() {
    other.enqueue(Collections.nCopies(MANY, job("t", JobDependencies.inBatch("b", 0))));
    other.resolveAll();
    ClaimedJob running = other.lease("q", 1, false).get(0);
    long batch = count(database, "select id from readpast_batch");
    transactions.requiresNewUnbounded(
        () -> {
          new BatchAdmin(transactions).request(BatchAdmin.Action.CANCEL, batch);
          return true;
        });
    return running;
  }

  @Test
  void batch_is_cancelled_in_pieces_between_which_a_group_continues() {
    ClaimedJob running = cancelBatch();
    List<Long> counts =
        resolveWhile(
            LEFT,
            begun -> {
              enqueueInGroup(begun);
              // No cancellation is requested for waiting jobs, and the running job is in the first
              // piece.
              assertThat(count(database, ASKED)).isEqualTo(begun == 1 ? 0 : 1);
              if (begun == 5) {
                assertThat(count(database, IN_GROUP)).isEqualTo(1);
              }
            });
    assertPieces(counts, MOST_OF_A_PIECE);
    assertThat(counts.get(counts.size() - 1)).isEqualTo(1);
    assertThat(other.cancellations(List.of(running.id()))).containsExactly(running.id());
  }

  @Test
  void jobs_are_added_in_pieces_between_which_a_group_continues() {
    other.enqueue(Collections.nCopies(2, job("t", GROUP)));
    other.resolveAll();
    ClaimedJob first = other.lease("q", 1, false).get(0);
    other.enqueue(Collections.nCopies(MANY, job("t", JobDependencies.inBatch("b", 0))));
    List<Long> counts =
        resolveWhile(
            IN_GROUP,
            begun -> {
              if (begun == 2) {
                other.acknowledge(List.of(first));
              }
            });
    assertThat(counts.size()).isGreaterThan(MANY / MOST_OF_A_PIECE);
    assertThat(counts.subList(0, 3)).containsExactly(0L, 0L, 1L);
    assertThat(count(database, RESOLVED)).isEqualTo(MANY + 1);
  }

  @Test
  void two_batches_can_be_cancelled_at_the_same_time() {
    ClaimedJob running = cancelBatch();
    long first = count(database, "select id from readpast_batch");
    other.enqueue(Collections.nCopies(70, job("t", JobDependencies.inBatch("c", 0))));
    transactions.requiresNewUnbounded(
        () -> {
          new BatchAdmin(transactions)
              .request(
                  BatchAdmin.Action.CANCEL,
                  count(database, "select id from readpast_batch where id <> " + first));
          return true;
        });
    other.resolveAll();
    assertThat(count(database, LEFT)).as("the running job").isEqualTo(1);
    assertThat(other.cancellations(List.of(running.id()))).containsExactly(running.id());
  }

  @Test
  void another_node_completes_the_cancellation_of_a_dead_node() {
    ClaimedJob running = cancelBatch();
    die();
    assertThat(count(database, LEFT)).isLessThan(MANY).isGreaterThan(1);
    ClaimedJob late = other.lease("q", 1, false).get(0);
    other.resolveAll();
    assertThat(count(database, LEFT)).isEqualTo(2);
    assertThat(other.cancellations(List.of(running.id(), late.id()))).hasSize(2);
    assertThat(count(database, "select count(*) from readpast_dependency_event")).isZero();
  }

  private void die() {
    resolveWhile(
        "select 1",
        begun -> {
          if (begun > 2) {
            throw new IllegalStateException("died");
          }
        });
    beforeEach = () -> {};
  }
}
