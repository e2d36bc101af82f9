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
  void what_a_handler_gave_is_kept_and_comes_back(ReceiveMode mode) {
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
  void a_caller_that_waits_is_woken_by_the_end() throws Exception {
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
  void a_job_worked_elsewhere_is_awaited_too() {
    node.start();
    try (TestNode other = new TestNode(database)) {
      other.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.done("there")).start();
      long id = node.enqueue("t");
      assertThat(node.endWaiter().await(id, SOON))
          .isEqualTo(new Answer(JobState.COMPLETED, "\"there\""));
    }
  }

  @Test
  void a_job_that_ends_badly_is_an_answer_too() {
    node.handles("t", ReceiveMode.LEASED, (payload, context) -> JobResult.failNow("no")).start();
    long id = node.enqueue("t");
    assertThat(node.endWaiter().await(id, SOON).state()).isEqualTo(JobState.DISCARDED);
  }

  @Test
  void awaiting_a_job_of_the_own_transaction_is_refused_at_once() throws Exception {
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
  void a_job_that_never_was_is_refused() {
    node.start();
    assertThatThrownBy(() -> node.endWaiter().await(4711, SOON))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("job 4711 does not exist");
  }

  @Test
  void a_queue_that_keeps_nothing_gives_the_state_alone() throws Exception {
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
