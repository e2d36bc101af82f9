package org.readpast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.JobState;
import org.readpast.api.JobType;
import org.readpast.api.ReadpastException;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;

/**
 * Tests what the test kit adds to a queue: its clock, its assertions, and the requests that it
 * refuses.
 */
class TestJobQueueTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final TestJobQueue jobs = new TestJobQueue(START);
  private final List<String> worked = new ArrayList<>();

  @JobType("mail.send")
  public record Mail(String to) {}

  @JobType(value = "letter.send", queue = "letters")
  public record Letter(String to) {}

  @Retries(maxAttempts = 4, delay = "PT10S", maxDelay = "PT30S")
  static class FailingHandler implements JobHandler<Mail> {
    final List<Instant> tried = new ArrayList<>();
    private final TestJobQueue clock;

    FailingHandler(TestJobQueue clock) {
      this.clock = clock;
    }

    @Override
    public JobResult handle(Mail mail, JobContext context) {
      tried.add(clock.now());
      throw new IllegalStateException("no mail today");
    }
  }

  abstract static class Base<T> implements JobHandler<T> {}

  class LetterHandler extends Base<Letter> {
    @Override
    public JobResult handle(Letter letter, JobContext context) {
      worked.add(letter.to() + " at " + jobs.now());
      context.log("posted");
      context.progress(1, 2);
      return JobResult.done();
    }
  }

  class Methods {
    @Handles
    @Receive(ReceiveMode.LEASED)
    String mail(Mail mail) {
      return "sent to " + mail.to();
    }

    @Handles
    @JobType("raw")
    void raw(byte[] bytes, JobContext context) {
      worked.add(bytes.length + " " + context.contentType());
    }
  }

  static class OnlyScheduled {
    @Scheduled(daily = "02:30")
    void nightly() {}
  }

  @Test
  void failure_of_a_handler_fails_the_test_unless_it_is_allowed() {
    jobs.handler(new FailingHandler(jobs));
    long id = jobs.enqueue(new Mail("ada")).id();

    assertThatThrownBy(jobs::drain)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("job " + id + " mail.send SCHEDULED attempt 1")
        .hasMessageContaining("allowFailures()")
        .cause()
        .hasMessage("no mail today");

    jobs.allowFailures().advance(Duration.ofHours(1));
    assertThat(jobs.job(id).state()).isEqualTo(JobState.DISCARDED);
    assertThat(jobs.job(id).lastFailure())
        .isEqualTo("java.lang.IllegalStateException: no mail today");
  }

  @Test
  void job_discarded_by_its_handler_fails_the_test() {
    jobs.handler(Mail.class, (mail, context) -> JobResult.failNow("no such address"));
    jobs.enqueue(new Mail("ada"));
    jobs.enqueue(new Mail("bob"));

    assertThatThrownBy(jobs::drain)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no such address")
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
    jobs.drain();
  }

  @Test
  void each_pause_ends_at_its_exact_time() {
    FailingHandler handler = new FailingHandler(jobs);
    jobs.handler(handler).allowFailures();
    jobs.enqueue(new Mail("ada"));

    jobs.advance(Duration.ofSeconds(29));
    assertThat(handler.tried).containsExactly(START, START.plusSeconds(10));

    jobs.advance(Duration.ofMinutes(5));
    assertThat(handler.tried)
        .containsExactly(
            START, START.plusSeconds(10), START.plusSeconds(30), START.plusSeconds(60));
    assertThat(jobs.now()).isEqualTo(START.plusSeconds(329));
  }

  @Test
  void advancing_the_clock_makes_delayed_jobs_due() {
    jobs.handler(new LetterHandler());
    long id = jobs.enqueue(JobRequest.of(new Letter("ada")).delay(Duration.ofHours(2))).id();
    jobs.drain();
    assertThat(worked).isEmpty();
    assertThat(jobs.job(id).availableAt()).isEqualTo(START.plusSeconds(7_200));

    jobs.advance(Duration.ofDays(1));

    assertThat(worked).containsExactly("ada at 2026-03-01T02:00:00Z");
    assertThat(jobs.job(id).log()).containsExactly("posted");
    assertThat(jobs.job(id).done()).isEqualTo(1);
  }

  @Test
  void paused_queue_starts_nothing_and_its_jobs_expire() {
    jobs.handler(new LetterHandler());
    jobs.pause("letters");
    long id = jobs.enqueue(JobRequest.of(new Letter("ada")).expiresIn(Duration.ofHours(1))).id();
    jobs.advance(Duration.ofMinutes(59));
    assertThat(jobs.job(id).state()).isEqualTo(JobState.AVAILABLE);
    jobs.advance(Duration.ofMinutes(1));
    assertThat(jobs.job(id).state()).isEqualTo(JobState.EXPIRED);

    long next = jobs.enqueue(new Letter("bob")).id();
    jobs.resume("letters");
    jobs.drain();
    assertThat(jobs.job(next).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void handler_method_returns_the_result_of_its_job() {
    jobs.handler(new Methods());
    long mail = jobs.enqueue(new Mail("ada")).id();
    jobs.enqueue(JobRequest.of("raw", "image/png", new byte[3]));
    jobs.drain();
    assertThat(jobs.job(mail).result(String.class)).isEqualTo("\"sent to ada\"");
    assertThat(worked).containsExactly("3 image/png");
  }

  @Test
  void assertion_error_names_the_jobs_that_were_enqueued() {
    jobs.enqueue(JobRequest.of(new Mail("ada")).priority(7));

    assertThat(jobs.assertEnqueued(Mail.class, mail -> mail.to().equals("ada")).priority())
        .isEqualTo(7);
    jobs.assertEnqueued(Mail.class);
    jobs.assertEnqueued("mail.send", job -> job.priority() == 7);
    jobs.assertNotEnqueued(Letter.class);
    assertThatThrownBy(() -> jobs.assertEnqueued(Mail.class, mail -> mail.to().equals("bob")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("'mail.send'")
        .hasMessageContaining("job 1 mail.send AVAILABLE {\"to\":\"ada\"}");
    assertThatThrownBy(() -> jobs.assertEnqueued(Letter.class)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> jobs.assertNotEnqueued(Mail.class))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("job 1");
  }

  @Test
  void drain_advance_and_await_are_refused_in_handlers_and_transactions() {
    jobs.handler(
        Mail.class,
        (mail, context) -> {
          jobs.drain();
          return JobResult.done();
        });
    jobs.enqueue(new Mail("ada"));
    assertThatThrownBy(jobs::drain).hasMessageContaining("cannot be called by a handler");
    long id = jobs.enqueue(new Letter("ada")).id();
    for (Runnable refused :
        List.<Runnable>of(
            jobs::drain,
            () -> jobs.advance(Duration.ofSeconds(1)),
            () -> jobs.await(id, Duration.ofSeconds(1)),
            () -> jobs.purge("letters"))) {
      assertThatThrownBy(
              () ->
                  jobs.transaction(
                      () -> {
                        refused.run();
                        return id;
                      }))
          .isInstanceOf(ReadpastException.class)
          .hasMessageContaining("outside");
    }
  }

  @Test
  void invalid_handler_is_refused() {
    assertThatThrownBy(() -> jobs.handler(new OnlyScheduled()))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("fires no schedules");
    JobHandler<Mail> lambda = (mail, context) -> JobResult.done();
    assertThatThrownBy(() -> jobs.handler(lambda))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("handler(SendInvoice.class, …)");
    jobs.handler(new LetterHandler());
    assertThatThrownBy(() -> jobs.handler(Letter.class, (letter, context) -> JobResult.done()))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("has two handlers");
  }

  @Test
  void endless_job_is_detected() {
    jobs.handler(Mail.class, (mail, context) -> JobResult.retryLater(Duration.ZERO));
    jobs.enqueue(new Mail("ada"));
    assertThatThrownBy(jobs::drain)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("job 1 mail.send");
  }

  @Test
  void missing_json_binding_is_named_with_the_dependency_to_add() throws Exception {
    URL[] without =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("yasson"))
            .map(TestJobQueueTest::url)
            .toArray(URL[]::new);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (var loader = new URLClassLoader(without, ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(loader);
      var constructor = loader.loadClass(TestJobQueue.class.getName()).getConstructor();
      assertThatThrownBy(constructor::newInstance)
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining("add org.eclipse:yasson with scope test");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL url(String path) {
    try {
      return new File(path).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
