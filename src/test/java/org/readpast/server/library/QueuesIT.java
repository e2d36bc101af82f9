package org.readpast.server.library;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.admin.QueueControl;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.server.app.Application;
import org.readpast.server.app.Payloads;
import org.readpast.server.app.Rows;
import org.readpast.server.app.Script;
import org.readpast.support.Await;

/**
 * Tests which queues an application serves, with how many concurrent jobs, and that faulty jobs do
 * not stop it.
 */
@ExtendWith(ArquillianExtension.class)
class QueuesIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  /** The pause is longer than any poll interval, so an available job has been claimed by then. */
  private static final Duration A_WHILE = Duration.ofSeconds(5);

  @Inject JobQueue jobs;
  @Inject QueueControl queues;
  @Inject Rows rows;
  @Inject Script script;

  private final String mark = UUID.randomUUID().toString();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);

  @Deployment
  static WebArchive application() {
    return Application.archive(
        "queues",
        QueuesIT.class,
        "readpast.worker.queues=open, halting, gated, gated-leased, littered",
        "readpast.queue.\"gated-leased\".mode=LEASED");
  }

  @Test
  void unnamed_queue_is_not_served() {
    long elsewhere = jobs.enqueue(work("elsewhere")).id();
    awaitAWhile();
    assertThat(attempts(elsewhere)).isEqualTo("AVAILABLE 0");
  }

  @Test
  void paused_queue_starts_nothing_until_it_is_resumed() {
    rows.awaitState(jobs.enqueue(work("halting")).id(), "COMPLETED");
    queues.change("halting", QueueAdmin.Change.paused(true));
    awaitDelayed(Duration.ofMillis(300));
    long halted = jobs.enqueue(work("halting")).id();
    awaitAWhile();
    assertThat(attempts(halted)).isEqualTo("AVAILABLE 0");
    queues.change("halting", QueueAdmin.Change.paused(false));
    rows.awaitState(halted, "COMPLETED");
  }

  @Test
  void change_without_a_caller_is_audited_under_the_name_of_the_application() {
    rows.awaitState(jobs.enqueue(work("open")).id(), "COMPLETED");
    queues.change("open", QueueAdmin.Change.concurrency(7));
    assertThat(
            rows.column(
                "select who || ' ' || action from readpast_audit where target = 'open' and"
                    + " detail::text like '%\"to\":7%'"))
        .containsExactly("queues queue.change");
  }

  @Test
  void concurrency_of_a_transactional_queue_changes_at_run_time() {
    assertThatConcurrencyFollows("gated");
  }

  @Test
  void concurrency_of_a_leased_queue_changes_at_run_time() {
    assertThatConcurrencyFollows("gated-leased");
  }

  private void assertThatConcurrencyFollows(String queue) {
    script.plan(mark, context -> pass());
    rows.awaitState(
        jobs.enqueue(JobRequest.of(new Payloads.ToMethod(mark)).queue(queue)).id(), "COMPLETED");
    concurrency(queue, 2);
    var all = jobs.enqueueAll(IntStream.range(0, 12).mapToObj(i -> work(queue)).toList());
    awaitRunning(2);
    concurrency(queue, 5);
    awaitRunning(5);
    concurrency(queue, 1);
    mayEnd.release(4);
    awaitDone(4);
    awaitRunning(1);
    assertThat(most.getAndSet(0)).as("maximum of concurrent jobs").isEqualTo(5);
    for (int ended = 5; ended < 12; ended++) {
      mayEnd.release();
      awaitDone(ended);
    }
    awaitRunning(1);
    mayEnd.release();
    all.forEach(e -> rows.awaitState(e.id(), "COMPLETED"));
    assertThat(most.get()).as("maximum after the limit was set to one").isEqualTo(1);
  }

  private JobResult pass() throws InterruptedException {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      if (!mayEnd.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the test did not release the job");
      }
      return JobResult.done();
    } finally {
      running.decrementAndGet();
      done.incrementAndGet();
    }
  }

  @Test
  void unreadable_or_unhandled_jobs_do_not_stop_other_jobs() {
    long unknown =
        jobs.enqueue(JobRequest.of(new Payloads.Follower(mark)).queue("littered").priority(9)).id();
    for (String garbage : new String[] {"[]", "7", "null", "{\"text\":{\"a\":[1]}}", "\"text\""}) {
      rows.run(
          "insert into readpast_job (queue, type, priority, state, position, available_at,"
              + " max_attempts, correlation_id, payload) values ('littered', 'app.method', 8,"
              + " 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 1, ?,"
              + " cast(? as json))",
          mark,
          garbage);
    }
    long good = jobs.enqueue(JobRequest.of(new Payloads.ToMethod(mark)).queue("littered")).id();
    rows.awaitState(good, "COMPLETED");
    Await.until(
        SOON,
        "each job was put off at least once",
        () ->
            rows.count(
                    "select count(distinct j.id) from readpast_job j join readpast_failure f"
                        + " on f.job_id = j.id and f.kind = 'UNREADABLE'"
                        + " where j.correlation_id = ? and j.attempt <= 1",
                    mark)
                == 5);
    assertThat(script.seen(mark)).containsExactly(new Payloads.ToMethod(mark));
    assertThat(attempts(unknown)).isEqualTo("AVAILABLE 0");
  }

  private void concurrency(String queue, int value) {
    queues.change(queue, QueueAdmin.Change.concurrency(value));
    // The listener makes a due job available one round after it has read the change.
    awaitDelayed(Duration.ofMillis(300));
  }

  private void awaitRunning(int expected) {
    Await.until(SOON, expected + " concurrent jobs", () -> running.get() == expected);
  }

  private void awaitDone(int expected) {
    Await.until(SOON, expected + " done", () -> done.get() == expected);
  }

  private void awaitAWhile() {
    awaitDelayed(A_WHILE);
  }

  private void awaitDelayed(Duration delay) {
    long id =
        jobs.enqueue(JobRequest.of(new Payloads.ToMethod("-")).queue("open").delay(delay)).id();
    rows.awaitState(id, "COMPLETED");
  }

  private String attempts(long id) {
    return rows.value("select state || ' ' || attempt from readpast_job where id = ?", id);
  }

  private JobRequest work(String queue) {
    return JobRequest.of(new Payloads.Patient(mark)).queue(queue);
  }
}
