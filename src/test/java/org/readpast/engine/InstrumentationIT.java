package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.support.TestNode.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.Enqueued;
import org.readpast.api.JobResult;
import org.readpast.api.ReceiveMode;
import org.readpast.model.NewJob;
import org.readpast.store.ClaimedJob;
import org.readpast.support.Await;
import org.readpast.support.Database;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestNode;

/** Tests that an engine reports every job and every attempt to its instrumentation. */
class InstrumentationIT implements Instrumentation {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Database database = TestDatabase.withTables();
  private final TestNode node = new TestNode(database).instrumentation(this);
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final ThreadLocal<String> current = new ThreadLocal<>();

  @AfterEach
  void close() {
    node.close();
  }

  @Override
  public List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store) {
    return store.enqueue(
        jobs.stream().map(one -> one.withProperties("{\"by\":\"instrumentation\"}")).toList());
  }

  @Override
  public Observation begin(ClaimedJob job, Map<String, String> properties) {
    current.set("attempt " + job.attempt() + " " + properties);
    return outcome -> {
      seen.add(current.get() + " " + outcome.getClass().getSimpleName());
      current.remove();
    };
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void attempts_are_reported_on_the_handler_thread_and_counted(ReceiveMode mode) {
    List<String> whileAtObservation = new CopyOnWriteArrayList<>();
    node.handles(
            "t",
            mode,
            (payload, context) -> {
              whileAtObservation.add(current.get());
              if (context.attempt() < 3) {
                throw new IllegalStateException("again");
              }
              return JobResult.failNow("no");
            })
        .start();
    node.enqueue(job("t"));
    Await.until(
        SOON, () -> TestDatabase.count(database, "select count(*) from readpast_job_history") == 1);
    assertThat(seen)
        .containsExactly(
            "attempt 1 {by=instrumentation} Retry",
            "attempt 2 {by=instrumentation} Retry",
            "attempt 3 {by=instrumentation} Discarded");
    assertThat(whileAtObservation)
        .containsExactly(
            "attempt 1 {by=instrumentation}",
            "attempt 2 {by=instrumentation}",
            "attempt 3 {by=instrumentation}");
    // The receiver counts a job after storing its end.
    Await.until(SOON, () -> figures().runs().histogram().count() == 3);
    Await.until(SOON, () -> figures().counters().discarded() == 1);
    assertThat(figures().retried()).isEqualTo(2);
    assertThat(figures().counters().failed()).isEqualTo(3);
    assertThat(figures().enqueued()).isEqualTo(1);
    assertThat(figures().waits().histogram().count()).isEqualTo(3);
    assertThat(figures().concurrency()).isEqualTo(4);
  }

  private QueueFigures figures() {
    return node.engine().figures().get(0);
  }
}
