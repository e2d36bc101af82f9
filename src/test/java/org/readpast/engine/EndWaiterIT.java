package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.admin.store.JobOutcomes.Answer;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

class EndWaiterIT {
  private static final Duration SOON = Duration.ofSeconds(15);

  private Database database;
  private TestNode node;

  @BeforeEach
  void makeNode() {
    database = TestDatabase.withTables();
    node = new TestNode(database);
  }

  @AfterEach
  void closeNode() {
    node.close();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void result_of_a_handler_is_kept_and_returned(ReceiveMode mode) {
    node.handles("t", mode, (payload, context) -> JobResult.done("forty-two")).start();
    long id = node.enqueue("t");
    assertThat(node.endWaiter().await(id, SOON))
        .isEqualTo(new Answer(JobState.COMPLETED, "\"forty-two\""));
    assertThat(
            TestDatabase.value(
                database, "select cast(result as text) from readpast_job_history where id = " + id))
        .isEqualTo("\"forty-two\"");
  }

  @Test
  void waiting_caller_is_woken_by_the_end_of_the_job() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch works = new CountDownLatch(1);
    node.handles(
            "t",
            ReceiveMode.TRANSACTIONAL,
            (payload, context) -> {
              works.countDown();
              mayEnd.await();
              return JobResult.done();
            })
        .start();
    long id = node.enqueue("t");
    var reply = CompletableFuture.supplyAsync(() -> node.endWaiter().await(id, SOON));
    assertThat(works.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(node.endWaiter().await(id, Duration.ofMillis(100)).state().ended()).isFalse();
    mayEnd.countDown();
    assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer(JobState.COMPLETED, null));
  }

  @Test
  void job_that_runs_on_another_node_can_be_awaited() {
    node.start();
    try (TestNode other = new TestNode(database)) {
      other.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done("there")).start();
      long id = node.enqueue("t");
      assertThat(node.endWaiter().await(id, SOON))
          .isEqualTo(new Answer(JobState.COMPLETED, "\"there\""));
    }
  }

  @Test
  void waiting_for_a_failed_job_returns_its_state() {
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.failNow("no")).start();
    long id = node.enqueue("t");
    assertThat(node.endWaiter().await(id, SOON).state()).isEqualTo(JobState.DISCARDED);
  }

  @Test
  void waiting_for_a_job_of_the_same_transaction_is_refused_immediately() throws Exception {
    node.start();
    assertThatThrownBy(
            () ->
                node.transactions()
                    .inHandlerTransaction(
                        SOON,
                        () -> {
                          long id = node.enqueue("t");
                          node.endWaiter().await(id, SOON);
                          return false;
                        }))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("commit the transaction first, then await");
  }

  @Test
  void waiting_for_a_job_that_never_existed_is_refused() {
    node.start();
    assertThatThrownBy(() -> node.endWaiter().await(4711, SOON))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("job 4711 does not exist");
  }

  @Test
  void queue_without_retention_returns_only_the_state() throws Exception {
    CountDownLatch mayEnd = new CountDownLatch(1);
    node.keepsOfQueue("q", JobState.COMPLETED, Duration.ZERO)
        .handles(
            "t",
            ReceiveMode.LEASED,
            (payload, context) -> {
              mayEnd.await();
              return JobResult.done("lost");
            })
        .start();
    long id = node.enqueue("t");
    var reply = CompletableFuture.supplyAsync(() -> node.endWaiter().await(id, SOON));
    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS).execute(mayEnd::countDown);
    assertThat(reply.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer(JobState.COMPLETED, null));
  }
}
