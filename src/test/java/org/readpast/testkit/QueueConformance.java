package org.readpast.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.api.JobState.AVAILABLE;
import static org.readpast.api.JobState.BLOCKED;
import static org.readpast.api.JobState.CANCELLED;
import static org.readpast.api.JobState.COMPLETED;
import static org.readpast.api.JobState.DISCARDED;
import static org.readpast.api.JobState.EXPIRED;
import static org.readpast.api.JobState.SCHEDULED;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.api.Backoff;
import org.readpast.api.BatchFailure;
import org.readpast.api.BatchSealedException;
import org.readpast.api.Enqueued;
import org.readpast.api.FailNowException;
import org.readpast.api.GroupFailure;
import org.readpast.api.Job;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobQueue;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobReply;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.JobSelection;
import org.readpast.api.JobState;
import org.readpast.api.JobStatus;
import org.readpast.api.JobType;
import org.readpast.api.NotFoundException;
import org.readpast.api.PredecessorFailure;
import org.readpast.api.ReadpastException;
import org.readpast.api.ReceiveMode;
import org.readpast.api.ReceivedJob;
import org.readpast.api.RetryLaterException;
import org.readpast.api.StateConflictException;
import org.readpast.api.Upcasts;
import org.readpast.model.RetryPolicy;
import org.readpast.model.StoredType;
import org.readpast.runtime.JobPreparer;

/** Tests the behaviour that the queue of the test kit and the real queue have in common. */
abstract class QueueConformance {
  private static final RetryPolicy THRICE =
      new RetryPolicy(
          3,
          Backoff.FIXED,
          Duration.ofMillis(50),
          Duration.ofSeconds(1),
          0,
          List.of(UnsupportedOperationException.class.getName()));

  /**
   * Holds the payload of a job that runs the script that the test has set for its name, if there is
   * one.
   */
  @JobType(value = "task", queue = "q")
  public record Task(String name) {}

  /** Holds a result of a job. */
  public record Sum(int total) {}

  private final List<String> worked = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, JobHandler<Task>> scripts = new ConcurrentHashMap<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private QueueUnderTest queue;

  abstract QueueUnderTest make();

  @BeforeEach
  void begin() {
    queue = make();
  }

  @AfterEach
  void end() {
    queue.close();
  }

  private JobQueue start(ReceiveMode mode) {
    queue.handler(
        new Registered(
            List.of(StoredType.of("task")),
            Task.class,
            mode,
            THRICE,
            (payload, context) -> work((Task) payload, context),
            "test"));
    queue.start();
    return queue.jobs();
  }

  private JobQueue start() {
    return start(ReceiveMode.TRANSACTIONAL);
  }

  private JobResult work(Task task, JobContext context) throws Exception {
    worked.add(task.name());
    if (failing.contains(task.name())) {
      return JobResult.failNow("as asked");
    }
    JobHandler<Task> script = scripts.get(task.name());
    return script == null ? JobResult.done() : script.handle(task, context);
  }

  private static JobRequest task(String name) {
    return JobRequest.of(new Task(name));
  }

  private long enqueue(JobRequest request) {
    return queue.jobs().enqueue(request).id();
  }

  private long completed(JobRequest request) {
    long id = enqueue(request);
    queue.await(id, COMPLETED);
    return id;
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void handler_receives_the_headers_of_its_job(ReceiveMode mode) {
    start(mode);
    List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    scripts.put(
        "a",
        (task, context) -> {
          seen.addAll(
              List.of(
                  context.queue(),
                  context.type(),
                  context.attempt(),
                  context.retriesRemaining(),
                  context.priority(),
                  String.valueOf(context.uniqueKey()),
                  String.valueOf(context.correlationId()),
                  context.contentType(),
                  context.properties(),
                  context.stillOwner(),
                  context.cancellationRequested(),
                  String.valueOf(context.lastFailure())));
          return JobResult.done();
        });

    completed(task("a").priority(7).uniqueKey("key").correlationId("c").property("p", "1"));

    assertThat(seen)
        .containsExactly(
            "q",
            "task",
            1,
            2,
            7,
            "key",
            "c",
            "application/json",
            Map.of("p", "1"),
            true,
            false,
            "null");
    assertThat(worked).containsExactly("a");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void failing_job_is_retried_and_discarded_after_its_last_attempt(ReceiveMode mode) {
    start(mode);
    scripts.put(
        "a",
        (task, context) -> {
          worked.add(context.retriesRemaining() + " " + context.lastFailure());
          throw new IllegalStateException("no. " + context.attempt());
        });

    long id = enqueue(task("a"));
    queue.await(id, DISCARDED);

    assertThat(worked)
        .containsExactly(
            "a",
            "2 null",
            "a",
            "1 java.lang.IllegalStateException: no. 1",
            "a",
            "0 java.lang.IllegalStateException: no. 2");
    assertThat(queue.attempt(id)).isEqualTo(3);
  }

  @Test
  void request_sets_the_number_of_attempts() {
    start();
    scripts.put(
        "a",
        (task, context) -> {
          throw new IllegalStateException("no");
        });
    long once = enqueue(task("a").maxAttempts(1));
    queue.await(once, DISCARDED);
    assertThat(queue.attempt(once)).isEqualTo(1);

    scripts.put(
        "b",
        (task, context) -> {
          if (context.retriesRemaining() == JobRequest.UNLIMITED && context.attempt() == 6) {
            return JobResult.done();
          }
          throw new IllegalStateException("no");
        });
    assertThat(queue.attempt(completed(task("b").maxAttempts(JobRequest.UNLIMITED)))).isEqualTo(6);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void retry_later_is_counted_only_when_requested(ReceiveMode mode) {
    start(mode);
    scripts.put(
        "later",
        (task, context) ->
            context.attempt() < 6 ? JobResult.retryLater(Duration.ofMillis(20)) : JobResult.done());
    scripts.put(
        "thrown",
        (task, context) -> {
          if (context.attempt() < 6) {
            throw new RetryLaterException(Duration.ZERO);
          }
          return JobResult.done();
        });
    scripts.put("counted", (task, context) -> JobResult.retryLaterCounted(Duration.ofMillis(20)));

    completed(task("later"));
    completed(task("thrown"));
    long counted = enqueue(task("counted"));
    queue.await(counted, DISCARDED);

    assertThat(queue.attempt(counted)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void permanent_failure_discards_the_job_immediately(ReceiveMode mode) {
    start(mode);
    failing.add("said");
    scripts.put(
        "thrown",
        (task, context) -> {
          throw new FailNowException("never");
        });
    scripts.put(
        "abort",
        (task, context) -> {
          throw new IllegalStateException(new UnsupportedOperationException());
        });

    for (String name : List.of("said", "thrown", "abort")) {
      long id = enqueue(task(name));
      queue.await(id, DISCARDED);
      assertThat(queue.attempt(id)).as(name).isEqualTo(1);
    }
  }

  @Test
  void unreadable_payload_waits_without_counting_attempts() {
    JobQueue jobs = start();
    long id =
        jobs.enqueue(JobRequest.of("task", "application/json", "[1]").queue("q").maxAttempts(1))
            .id();
    queue.await(id, SCHEDULED);
    assertThat(worked).isEmpty();
    assertThat(queue.attempt(id)).isZero();
  }

  /** Represents the second version of the job type "note". */
  @JobType(value = "note", queue = "q", version = 2, aliases = "memo")
  public record Note(String text) {
    @Upcasts(from = 1)
    static String quoted(String old) {
      return "{\"text\":" + old + "}";
    }
  }

  @Test
  void older_versions_and_aliases_are_upcast() {
    queue.handler(
        new Registered(
            JobPreparer.readable(
                Objects.requireNonNull(Note.class.getAnnotation(JobType.class)),
                Note.class,
                "Note"),
            Note.class,
            ReceiveMode.LEASED,
            THRICE,
            (payload, context) -> {
              worked.add(context.type() + " " + context.version() + " " + ((Note) payload).text());
              return JobResult.done();
            },
            "test"));
    queue.start();
    long own = queue.jobs().enqueue(new Note("a")).id();
    long named =
        queue
            .jobs()
            .enqueue(JobRequest.of("memo", "application/json", "{\"text\":\"b\"}").queue("q"))
            .id();
    queue.await(own, COMPLETED);
    queue.await(named, COMPLETED);
    assertThat(worked).containsExactlyInAnyOrder("note 2 a", "memo 2 b");
  }

  @Test
  void payload_of_any_content_type_arrives_unchanged() {
    for (Class<?> taken : List.of(byte[].class, String.class)) {
      queue.handler(
          new Registered(
              List.of(StoredType.of(taken.getSimpleName().replace("[]", ""))),
              taken,
              ReceiveMode.TRANSACTIONAL,
              THRICE,
              (payload, context) -> {
                worked.add(
                    context.contentType()
                        + " "
                        + (payload instanceof byte[] bytes ? new String(bytes, UTF_8) : payload));
                return JobResult.done();
              },
              "test"));
    }
    queue.start();
    completed(JobRequest.of("byte", "image/png", "ü".getBytes(UTF_8)));
    completed(JobRequest.of("String", "text/csv", "a;ü"));
    assertThat(worked).containsExactly("image/png ü", "text/csv a;ü");
  }

  @Test
  void delayed_job_does_not_block_other_jobs() {
    start();
    long delayed = enqueue(task("delayed").priority(9).delay(Duration.ofMillis(400)));
    assertThat(queue.state(delayed)).isEqualTo(SCHEDULED);
    completed(task("other"));
    queue.await(delayed, COMPLETED);
    assertThat(worked).containsExactly("other", "delayed");
  }

  @Test
  void job_that_expires_before_its_start_does_not_run() {
    start();
    long id = enqueue(task("a").delay(Duration.ofHours(1)).expiresIn(Duration.ofMillis(200)));
    queue.await(id, EXPIRED);
    assertThat(worked).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void jobs_run_by_priority_and_then_in_order(ReceiveMode mode) throws Exception {
    JobQueue jobs = start(mode);
    List<Enqueued> all =
        queue.transaction(
            () ->
                jobs.enqueueAll(
                    List.of(
                        task("low").priority(1),
                        task("first"),
                        task("second"),
                        task("high").priority(8))));
    queue.await(all.get(0).id(), COMPLETED);
    assertThat(worked).containsExactly("high", "first", "second", "low");
  }

  @Test
  void live_job_keeps_its_unique_key_and_an_ended_job_frees_it() {
    JobQueue jobs = start();
    Enqueued first = jobs.enqueue(task("a").uniqueKey("k").delay(Duration.ofHours(1)));
    assertThat(jobs.enqueue(task("b").uniqueKey("k"))).isEqualTo(Enqueued.of(first.id(), false));
    assertThat(jobs.cancel(first.id())).isTrue();

    List<Enqueued> both =
        jobs.enqueueAll(List.of(task("c").uniqueKey("k"), task("d").uniqueKey("k")));

    assertThat(both.get(0).isNew()).isTrue();
    assertThat(both.get(1)).isEqualTo(Enqueued.of(both.get(0).id(), false));
    queue.await(both.get(0).id(), COMPLETED);
    assertThat(worked).containsExactly("c");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void group_keeps_its_order_when_its_head_is_retried(ReceiveMode mode) {
    JobQueue jobs = start(mode);
    scripts.put(
        "first",
        (task, context) -> {
          if (context.attempt() == 1) {
            throw new IllegalStateException("once");
          }
          return JobResult.done();
        });
    List<Enqueued> all =
        jobs.enqueueAll(
            List.of(
                task("first").group("g"),
                task("second").group("g").priority(9),
                task("third").group("g")));
    queue.await(all.get(2).id(), COMPLETED);
    assertThat(worked).containsExactly("first", "first", "second", "third");
  }

  @Test
  void discarded_job_with_policy_hold_holds_its_group() {
    JobQueue jobs = start();
    failing.add("bad");
    long skipped = enqueue(task("bad").group("skips"));
    long next = enqueue(task("next").group("skips"));
    queue.await(next, COMPLETED);
    assertThat(queue.state(skipped)).isEqualTo(DISCARDED);

    long bad = enqueue(task("bad").group("holds", GroupFailure.HOLD));
    long held = enqueue(task("held").group("holds"));
    queue.await(bad, DISCARDED);
    completed(task("other"));
    assertThat(queue.state(held)).isEqualTo(BLOCKED);

    failing.clear();
    jobs.reset(bad);
    queue.await(held, COMPLETED);
    assertThat(queue.state(bad)).isEqualTo(COMPLETED);
    assertThat(worked).containsExactly("bad", "next", "bad", "other", "bad", "held");
  }

  @Test
  void reset_job_that_holds_its_group_precedes_an_older_job_that_joined_later() {
    JobQueue jobs = start();
    failing.add("bad");
    long lower = enqueue(task("lower").batch("joins", 0).delay(Duration.ofDays(1)));
    long older = enqueue(task("older").batch("joins", 1).group("late"));
    long bad = enqueue(task("bad").group("late", GroupFailure.HOLD));
    queue.await(bad, DISCARDED);
    jobs.cancel(lower);
    completed(task("other"));
    assertThat(queue.state(older)).isEqualTo(BLOCKED);

    failing.clear();
    jobs.reset(bad);
    queue.await(older, COMPLETED);
    assertThat(worked).containsExactly("bad", "other", "bad", "older");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void wave_starts_after_all_lower_waves_have_ended(ReceiveMode mode) throws Exception {
    JobQueue jobs = start(mode);
    scripts.put(
        "a",
        (task, context) -> {
          if (context.attempt() < 3) {
            throw new IllegalStateException("twice");
          }
          return JobResult.done();
        });
    queue.transaction(
        () ->
            jobs.batch("b")
                .wave(20, new Task("c"))
                .wave(10, List.of(new Task("a"), new Task("b")))
                .wave(30, task("d")));
    long last = enqueue(task("end").batch("b", 40));
    queue.await(last, COMPLETED);
    assertThat(worked).containsSubsequence("a", "a", "a", "c", "d", "end");
    assertThat(worked).containsSubsequence("b", "c").hasSize(7);
  }

  @Test
  void callbacks_run_once_the_batch_is_sealed_and_finished() {
    JobQueue jobs = start();
    jobs.batch("b")
        .onSuccess(new Task("success"))
        .onSuccess(new Task("late"))
        .onFinish(new Task("finish"))
        .onDiscard(new Task("discard"));
    completed(task("a").batch("b", 1));
    completed(task("other"));
    assertThat(worked).containsExactly("a", "other");

    jobs.batch("b").seal();
    untilWorked("success", "finish");

    assertThat(worked).containsExactlyInAnyOrder("a", "other", "success", "finish");
    assertThatThrownBy(() -> jobs.enqueue(task("more").batch("b", 2)))
        .isInstanceOf(BatchSealedException.class)
        .hasMessageContaining("batch 'b' is sealed");
    assertThatThrownBy(() -> jobs.batch("b").failurePolicy(BatchFailure.CONTINUE))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("exists with failurePolicy HOLD");
    assertThatThrownBy(() -> jobs.batch("c").onFinish(task("later").uniqueKey("k")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("leave out delay");
  }

  /**
   * Waits until jobs with the given names have run. The method advances time by running other jobs,
   * because the ids of the expected jobs are not known.
   */
  private void untilWorked(String... names) {
    for (int i = 0; i < 100 && !worked.containsAll(List.of(names)); i++) {
      completed(JobRequest.of(new Task("tick" + i)).delay(Duration.ofMillis(20)));
    }
    worked.removeIf(name -> name.startsWith("tick"));
  }

  @Test
  void discarded_job_holds_higher_waves_until_it_is_reset() {
    JobQueue jobs = start();
    failing.add("bad");
    jobs.batch("b").onDiscard(new Task("discard")).onSuccess(new Task("success"));
    long bad = enqueue(task("bad").batch("b", 1));
    long later = enqueue(task("later").batch("b", 2));
    jobs.batch("b").seal();
    queue.await(bad, DISCARDED);
    untilWorked("discard");
    assertThat(queue.state(later)).isEqualTo(BLOCKED);

    failing.clear();
    jobs.reset(bad);
    queue.await(later, COMPLETED);
    untilWorked("success");
    assertThat(worked).containsExactly("bad", "discard", "bad", "later", "success");
  }

  @Test
  void batch_continues_or_cancels_after_a_failure_by_its_policy() {
    JobQueue jobs = start();
    failing.add("bad");
    jobs.batch("goes on").failurePolicy(BatchFailure.CONTINUE);
    long bad = enqueue(task("bad").batch("goes on", 1));
    long later = enqueue(task("later").batch("goes on", 2));
    queue.await(later, COMPLETED);
    assertThatThrownBy(() -> jobs.reset(bad))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("jobs that waited for job " + bad);

    jobs.batch("ends").failurePolicy(BatchFailure.CANCEL).onFinish(new Task("finish"));
    enqueue(task("bad").batch("ends", 1));
    long never = enqueue(task("never").batch("ends", 2));
    queue.await(never, CANCELLED);
    untilWorked("finish");
    assertThatThrownBy(() -> jobs.enqueue(task("more").batch("ends", 2)))
        .isInstanceOf(BatchSealedException.class);
    assertThat(worked).containsExactly("bad", "later", "bad", "finish");
  }

  @Test
  void followers_start_after_their_predecessors() {
    JobQueue jobs = start();
    List<Enqueued> all =
        jobs.enqueueAll(
            List.of(
                task("third").after("second", "first"),
                task("second").ref("second").after("first"),
                task("first").ref("first").delay(Duration.ofMillis(100))));
    queue.await(all.get(0).id(), COMPLETED);
    completed(task("fourth").after(all.get(0).id()));
    assertThat(worked).containsExactly("first", "second", "third", "fourth");
    assertThatThrownBy(() -> jobs.enqueue(task("a").after(987_654_321L)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("after names job 987654321, which never existed");
    assertThatThrownBy(
            () ->
                jobs.enqueueAll(
                    List.of(task("x").ref("x").after("y"), task("y").ref("y").after("x"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("wait for each other in a cycle");
  }

  @Test
  void follower_of_a_failure_waits_is_cancelled_or_runs() {
    JobQueue jobs = start();
    failing.add("bad");
    long bad = enqueue(task("bad"));
    long holds = enqueue(task("holds").after(bad));
    long cancelled = enqueue(task("no").after(bad).predecessorFailure(PredecessorFailure.CANCEL));
    long after = enqueue(task("after").after(cancelled).predecessorFailure(PredecessorFailure.RUN));
    queue.await(cancelled, CANCELLED);
    queue.await(after, COMPLETED);
    assertThat(queue.state(holds)).isEqualTo(BLOCKED);

    failing.clear();
    jobs.reset(bad);
    queue.await(holds, COMPLETED);
    assertThat(worked).containsExactly("bad", "after", "bad", "holds");
  }

  @Test
  void rolled_back_enqueue_creates_no_job() throws Exception {
    JobQueue jobs = start();
    assertThatThrownBy(
            () ->
                queue.transaction(
                    () -> {
                      jobs.enqueue(task("gone").uniqueKey("k"));
                      assertThat(jobs.browse("q", JobSelection.all())).hasSize(1);
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessageContaining("rolled back");
    assertThat(jobs.browse("q", JobSelection.all())).isEmpty();
    Enqueued kept = queue.transaction(() -> jobs.enqueue(task("kept").uniqueKey("k")));
    assertThat(kept.isNew()).isTrue();
    queue.await(kept.id(), COMPLETED);
    assertThat(worked).containsExactly("kept");
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void enqueue_of_a_handler_commits_or_rolls_back_with_its_transaction(ReceiveMode mode) {
    JobQueue jobs = start(mode);
    scripts.put(
        "a",
        (task, context) -> {
          context.enqueue(new Task("follower"));
          jobs.enqueue(task("enqueued"));
          return context.attempt() == 1
              ? JobResult.retryLater(Duration.ofMillis(30))
              : JobResult.done();
        });
    completed(task("a"));
    untilWorked("follower", "enqueued");
    completed(task("z"));
    assertThat(worked)
        .containsExactlyInAnyOrderElementsOf(
            mode == ReceiveMode.TRANSACTIONAL
                ? List.of("a", "a", "follower", "enqueued", "z")
                : List.of("a", "a", "follower", "enqueued", "enqueued", "z"));
  }

  @ParameterizedTest
  @EnumSource(ReceiveMode.class)
  void caller_can_await_the_result_of_the_handler(ReceiveMode mode) throws Exception {
    JobQueue jobs = start(mode);
    scripts.put("sum", (task, context) -> JobResult.done(new Sum(42)));
    failing.add("bad");

    JobReply reply = jobs.await(enqueue(task("sum")), Duration.ofSeconds(20));

    assertThat(reply.state()).isEqualTo(COMPLETED);
    assertThat(reply.json()).isEqualTo("{\"total\":42}");
    assertThat(reply.result(Sum.class)).isEqualTo(new Sum(42));
    assertThat(jobs.await(enqueue(task("bad")), Duration.ofSeconds(20)).state())
        .isEqualTo(DISCARDED);
    long never = enqueue(task("never").delay(Duration.ofHours(1)));
    assertThat(jobs.await(never, Duration.ofMillis(50)).state()).isEqualTo(SCHEDULED);
    assertThatThrownBy(
            () ->
                queue.transaction(
                    () -> jobs.await(jobs.enqueue(task("own")).id(), Duration.ofSeconds(1))))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("commit the transaction first, then await");
  }

  @Test
  void waiting_jobs_can_be_cancelled_and_failed_jobs_can_be_reset() {
    JobQueue jobs = start();
    long waits = enqueue(task("a").delay(Duration.ofHours(1)).uniqueKey("k"));
    long blocked = enqueue(task("b").after(waits));
    assertThat(jobs.cancel(blocked)).isFalse();
    queue.await(blocked, CANCELLED);
    assertThat(jobs.cancel(waits)).isTrue();
    assertThat(queue.state(waits)).isEqualTo(CANCELLED);
    assertThatThrownBy(() -> jobs.cancel(waits))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("is CANCELLED; only jobs that are");
    assertThatThrownBy(() -> jobs.cancel(987_654_321L))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("does not exist");

    long holder = enqueue(task("c").uniqueKey("k").delay(Duration.ofHours(1)));
    assertThatThrownBy(() -> jobs.reset(waits))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("job " + holder + " is live and holds its unique key 'k'");
    jobs.cancel(holder);
    jobs.reset(waits);
    queue.await(waits, COMPLETED);
    assertThatThrownBy(() -> jobs.reset(waits))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("is COMPLETED; only jobs that are");
  }

  @Test
  void reset_job_has_its_full_number_of_attempts() {
    JobQueue jobs = start();
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    scripts.put(
        "a",
        (task, context) -> {
          seen.add(context.attempt() + " " + context.retriesRemaining());
          throw new IllegalStateException("no");
        });
    long id = enqueue(task("a"));
    queue.await(id, DISCARDED);
    jobs.reset(id);
    for (int i = 0; i < 100 && queue.attempt(id) < 6; i++) {
      completed(task("tick").delay(Duration.ofMillis(20)));
    }
    queue.await(id, DISCARDED);
    assertThat(seen).containsExactly("1 2", "2 1", "3 0", "4 2", "5 1", "6 0");
  }

  @Test
  void running_job_gets_a_cancellation_request() {
    JobQueue jobs = start(ReceiveMode.LEASED);
    scripts.put(
        "a",
        (task, context) -> {
          worked.add(String.valueOf(jobs.cancel(context.id())));
          throw new IllegalStateException("ended early");
        });
    long id = enqueue(task("a").maxAttempts(JobRequest.UNLIMITED));
    queue.await(id, CANCELLED);
    assertThat(worked).startsWith("a", "false");
  }

  @Test
  void caller_receives_a_job_in_its_transaction() throws Exception {
    JobQueue jobs = start();
    assertThatThrownBy(() -> jobs.receive("inbox", Duration.ZERO))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining("begin one first");
    long id = jobs.enqueue(JobRequest.of("letter", "text/plain", "hello").queue("inbox")).id();

    assertThatThrownBy(
            () ->
                queue.transaction(
                    () -> {
                      Job job = jobs.receive("inbox", Duration.ofSeconds(5)).orElseThrow();
                      assertThat(job.attempt()).isEqualTo(1);
                      throw new IllegalStateException("not now");
                    }))
        .hasMessageContaining("not now");
    Job job =
        queue.transaction(
            () -> jobs.receive("inbox", Duration.ofSeconds(10), "letter").orElseThrow());

    assertThat(job.id()).isEqualTo(id);
    assertThat(job.attempt()).isEqualTo(2);
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.payload(String.class)).isEqualTo("hello");
    assertThat(queue.state(id)).isEqualTo(COMPLETED);
    assertThat(queue.<Object>transaction(() -> jobs.receive("inbox", Duration.ofMillis(50))))
        .isEqualTo(java.util.Optional.empty());
  }

  @Test
  void receiver_can_retry_or_discard_its_job_and_its_writes_are_undone() throws Exception {
    JobQueue jobs = start();
    JobRequest letter = JobRequest.of("letter", "text/plain", "hello").queue("inbox");
    long id = jobs.enqueue(letter.maxAttempts(1)).id();
    List<ReceivedJob> kept = new ArrayList<>();

    queue.transaction(
        () -> {
          ReceivedJob job = jobs.receive("inbox", Duration.ofSeconds(5)).orElseThrow();
          jobs.enqueue(task("undone").uniqueKey("undone"));
          job.retryLater(Duration.ofMillis(200));
          assertThatThrownBy(() -> job.failNow("twice"))
              .isInstanceOf(StateConflictException.class)
              .hasMessageContaining("was already decided");
          kept.add(job);
          return null;
        });

    assertThat(jobs.find("undone")).isEmpty();
    assertThatThrownBy(() -> kept.get(0).failNow("late"))
        .isInstanceOf(StateConflictException.class)
        .hasMessageContaining("the transaction that received job " + id + " has ended");
    queue.transaction(
        () -> {
          ReceivedJob job = jobs.receive("inbox", Duration.ofSeconds(10)).orElseThrow();
          assertThat(job.attempt()).isEqualTo(2);
          job.failNow("no such address");
          return null;
        });
    queue.await(id, DISCARDED);
    assertThat(jobs.find(id).orElseThrow().lastFailure()).isEqualTo("no such address");
  }

  @Test
  void found_job_has_all_its_data() {
    JobQueue jobs = start();
    scripts.put(
        "a",
        (task, context) -> {
          context.progress(3, 4);
          if (context.attempt() == 1) {
            throw new IllegalStateException("once");
          }
          return JobResult.done(new Sum(42));
        });
    JobRequest request =
        task("a").priority(7).uniqueKey("k").correlationId("c").property("p", "1").batch("b", 2);
    long id = completed(request);

    JobStatus found = jobs.find(id).orElseThrow();

    assertThat(found.state()).isEqualTo(COMPLETED);
    assertThat(found.queue()).isEqualTo("q");
    assertThat(found.type()).isEqualTo("task");
    assertThat(found.priority()).isEqualTo(7);
    assertThat(found.uniqueKey()).isEqualTo("k");
    assertThat(found.correlationId()).isEqualTo("c");
    assertThat(found.properties()).isEqualTo(Map.of("p", "1"));
    assertThat(found.payload(Task.class)).isEqualTo(new Task("a"));
    assertThat(found.batch()).isEqualTo("b");
    assertThat(found.wave()).isEqualTo(2);
    assertThat(found.group()).isNull();
    assertThat(found.attempt()).isEqualTo(2);
    assertThat(found.retriesRemaining()).isEqualTo(1);
    assertThat(found.lastFailure()).isEqualTo("java.lang.IllegalStateException: once");
    assertThat(found.progressDone()).isEqualTo(3);
    assertThat(found.progressTotal()).isEqualTo(4);
    assertThat(found.result(Sum.class)).isEqualTo(new Sum(42));
    assertThat(found.cancellationRequested()).isFalse();
    assertThat(found.availableAt()).isBetween(found.enqueuedAt(), found.startedAt());
    assertThat(found.endedAt()).isAfterOrEqualTo(found.startedAt());
    assertThat(found.expiresAt()).isNull();
    assertThat(jobs.find(987_654_321L)).isEmpty();
  }

  @Test
  void live_job_is_found_by_its_unique_key_and_any_job_by_its_correlation_id() throws Exception {
    JobQueue jobs = start();
    long ended = completed(task("a").uniqueKey("k").correlationId("c"));
    assertThat(jobs.find("k")).isEmpty();
    long live = enqueue(task("b").uniqueKey("k").correlationId("c").delay(Duration.ofHours(1)));
    long other = enqueue(task("d").correlationId("d").delay(Duration.ofHours(1)));
    long last = enqueue(task("c").queue("r").correlationId("c").delay(Duration.ofHours(1)));

    JobStatus found = jobs.find("k").orElseThrow();
    assertThat(found.id()).isEqualTo(live);
    assertThat(found.state()).isEqualTo(SCHEDULED);
    assertThat(found.startedAt()).isNull();
    assertThat(found.endedAt()).isNull();
    assertThat(jobs.findByCorrelationId("c"))
        .extracting(JobStatus::id)
        .containsExactly(ended, live, last);
    assertThat(jobs.findByCorrelationId("c", 0, 2))
        .extracting(JobStatus::id)
        .containsExactly(ended, live);
    assertThat(jobs.findByCorrelationId("c", live, 2))
        .extracting(JobStatus::id)
        .containsExactly(last);
    assertThat(jobs.findByCorrelationId("none")).isEmpty();
    assertThat(jobs.find(other).orElseThrow().correlationId()).isEqualTo("d");
    assertThatThrownBy(() -> jobs.findByCorrelationId("c", 0, 1_001))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("limit is 1001; specify 1 to 1000");
    long own =
        queue.transaction(
            () -> {
              long id = enqueue(task("own").correlationId("own").delay(Duration.ofHours(1)));
              assertThat(jobs.findByCorrelationId("own")).hasSize(1);
              return id;
            });
    assertThat(jobs.find(own)).isPresent();
  }

  @Test
  void waiting_job_runs_now_or_at_another_time() throws Exception {
    JobQueue jobs = start();
    Duration later = Duration.ofHours(1);
    long now = enqueue(task("now").delay(later));
    long past = enqueue(task("past").delay(later));
    long soon = enqueue(task("soon").delay(later));
    Instant due = jobs.find(soon).orElseThrow().enqueuedAt();
    jobs.runNow(now);
    jobs.reschedule(past, due);
    jobs.reschedule(soon, due.plusMillis(300));
    queue.await(now, COMPLETED);
    queue.await(past, COMPLETED);
    queue.await(soon, COMPLETED);

    long available = jobs.enqueue(JobRequest.of("other", "text/plain", "x").queue("q")).id();
    jobs.reschedule(available, due);
    assertThat(queue.state(available)).isEqualTo(AVAILABLE);
    Instant moment = due.plus(later).truncatedTo(ChronoUnit.MILLIS);
    jobs.reschedule(available, moment);
    assertThat(jobs.find(available).orElseThrow().state()).isEqualTo(SCHEDULED);
    assertThat(jobs.find(available).orElseThrow().availableAt()).isEqualTo(moment);
  }

  @Test
  void job_that_does_not_wait_is_neither_run_now_nor_rescheduled() {
    JobQueue jobs = start();
    long waits = enqueue(task("a").delay(Duration.ofHours(1)));
    long blocked = enqueue(task("b").after(waits));
    long ended = completed(task("c"));
    Instant moment = jobs.find(ended).orElseThrow().enqueuedAt().plusSeconds(60);

    for (long id : List.of(blocked, ended)) {
      assertThatThrownBy(() -> jobs.runNow(id))
          .isInstanceOf(StateConflictException.class)
          .hasMessage(
              "job %d is %s; only jobs that are SCHEDULED can be run now"
                  .formatted(id, queue.state(id)));
      assertThatThrownBy(() -> jobs.reschedule(id, moment))
          .isInstanceOf(StateConflictException.class)
          .hasMessage(
              "job %d is %s; only jobs that are SCHEDULED, AVAILABLE can be rescheduled"
                  .formatted(id, queue.state(id)));
    }
    assertThatThrownBy(() -> jobs.runNow(987_654_321L)).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> jobs.reschedule(987_654_321L, moment))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> jobs.reschedule(waits, Instant.MAX))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("specify a time in the years 1970 to 9999");
    assertThat(queue.state(waits)).isEqualTo(SCHEDULED);
  }

  @Test
  void rescheduled_head_of_a_group_keeps_its_position() {
    JobQueue jobs = start();
    long head = enqueue(task("head").group("g").delay(Duration.ofHours(1)));
    long next = enqueue(task("next").group("g"));
    queue.await(head, SCHEDULED);
    completed(task("tick"));
    Instant enqueued = jobs.find(head).orElseThrow().enqueuedAt();
    jobs.reschedule(head, enqueued.plus(Duration.ofHours(2)));
    completed(task("tick"));
    assertThat(queue.state(next)).isEqualTo(BLOCKED);
    jobs.reschedule(head, enqueued);
    queue.await(next, COMPLETED);
    assertThat(worked).containsExactly("tick", "tick", "head", "next");
  }

  @Test
  void job_is_cancelled_by_its_unique_key() {
    JobQueue jobs = start();
    long id = enqueue(task("a").uniqueKey("k").delay(Duration.ofHours(1)));
    assertThat(jobs.cancel("k")).isTrue();
    assertThat(queue.state(id)).isEqualTo(CANCELLED);
    assertThatThrownBy(() -> jobs.cancel("k"))
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("no live job holds the unique key 'k'");
  }

  @Test
  void paused_queue_starts_nothing_until_it_is_resumed() throws Exception {
    JobQueue jobs = start();
    jobs.pause("other");
    jobs.pause("q");
    long id = enqueue(task("a"));
    long elsewhere = enqueue(task("b").queue("r"));
    queue.await(elsewhere, COMPLETED);
    assertThat(queue.state(id)).isEqualTo(AVAILABLE);
    assertThatThrownBy(
            () ->
                queue.transaction(
                    () -> {
                      jobs.resume("q");
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    queue.await(enqueue(task("c").queue("r")), COMPLETED);
    assertThat(queue.state(id)).isEqualTo(AVAILABLE);
    jobs.resume("q");
    jobs.resume("q");
    queue.await(id, COMPLETED);
    assertThatThrownBy(() -> jobs.pause("no queue"))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("queue 'no queue' is not a valid name");
  }

  @Test
  void rolled_back_change_has_no_effect() {
    JobQueue jobs = start();
    Duration later = Duration.ofHours(1);
    long now = enqueue(task("now").delay(later));
    long cancelled = enqueue(task("cancelled").delay(later).uniqueKey("k"));
    long replaced = enqueue(task("replaced").delay(later).uniqueKey("r"));
    Instant due = jobs.find(now).orElseThrow().availableAt();
    assertThatThrownBy(
            () ->
                queue.transaction(
                    () -> {
                      jobs.runNow(now);
                      jobs.cancel("k");
                      jobs.enqueue(
                          task("by").uniqueKey("r").replaceWaiting().postpone(later, later));
                      assertThat(jobs.find(now).orElseThrow().state()).isEqualTo(AVAILABLE);
                      assertThat(jobs.find("k")).isEmpty();
                      assertThat(jobs.find("r").orElseThrow().payload(Task.class).name())
                          .isEqualTo("by");
                      throw new IllegalStateException("rolled back");
                    }))
        .hasMessage("rolled back");
    assertThat(jobs.find(now).orElseThrow().state()).isEqualTo(SCHEDULED);
    assertThat(jobs.find(now).orElseThrow().availableAt()).isEqualTo(due);
    assertThat(jobs.find("k").orElseThrow().id()).isEqualTo(cancelled);
    assertThat(jobs.find(replaced).orElseThrow().payload(Task.class).name()).isEqualTo("replaced");
  }

  @Test
  void enqueue_replaces_a_waiting_job_of_its_unique_key() {
    JobQueue jobs = start();
    Duration later = Duration.ofHours(1);
    Enqueued first = jobs.enqueue(task("a").uniqueKey("k").delay(later).correlationId("c"));
    JobStatus before = jobs.find(first.id()).orElseThrow();
    JobRequest second =
        task("b").uniqueKey("k").priority(7).property("p", "1").maxAttempts(9).replaceWaiting();

    assertThat(jobs.enqueue(second)).isEqualTo(Enqueued.updated(first.id()));

    JobStatus now = jobs.find(first.id()).orElseThrow();
    assertThat(now.payload(Task.class)).isEqualTo(new Task("b"));
    assertThat(now.priority()).isEqualTo(7);
    assertThat(now.properties()).isEqualTo(Map.of("p", "1"));
    assertThat(now.correlationId()).isNull();
    assertThat(now.retriesRemaining()).isEqualTo(9);
    assertThat(now.availableAt()).isEqualTo(before.availableAt());
    assertThat(now.enqueuedAt()).isEqualTo(before.enqueuedAt());
    jobs.runNow(first.id());
    queue.await(first.id(), COMPLETED);
    assertThat(worked).containsExactly("b");
    assertThat(jobs.enqueue(second).isNew()).isTrue();
  }

  @Test
  void enqueues_postpone_a_waiting_job_up_to_its_latest_start() {
    JobQueue jobs = start();
    Duration hour = Duration.ofHours(1);
    JobRequest request = task("a").uniqueKey("k").postpone(hour, hour.multipliedBy(3));
    long id = enqueue(request);
    JobStatus first = jobs.find(id).orElseThrow();
    assertThat(first.availableAt()).isEqualTo(first.enqueuedAt().plus(hour));

    JobRequest further = task("b").uniqueKey("k");
    assertThat(jobs.enqueue(further.postpone(hour.multipliedBy(2), hour.multipliedBy(3))))
        .isEqualTo(Enqueued.updated(id));
    Instant second = jobs.find(id).orElseThrow().availableAt();
    assertThat(second)
        .isBetween(
            first.enqueuedAt().plus(hour.multipliedBy(2)),
            first.enqueuedAt().plus(hour.multipliedBy(2)).plusSeconds(60));
    jobs.enqueue(further.postpone(Duration.ZERO, hour));
    assertThat(jobs.find(id).orElseThrow().availableAt()).as("never sooner").isEqualTo(second);
    jobs.enqueue(further.postpone(hour.multipliedBy(3), hour.multipliedBy(3)));
    JobStatus last = jobs.find(id).orElseThrow();
    assertThat(last.availableAt()).isEqualTo(first.enqueuedAt().plus(hour.multipliedBy(3)));
    assertThat(last.payload(Task.class)).isEqualTo(new Task("a"));
  }

  @Test
  void enqueues_of_one_key_in_one_call_yield_one_job_with_the_last_payload() {
    JobQueue jobs = start();
    Duration wait = Duration.ofMillis(100);
    JobRequest once = task("once").uniqueKey("k");
    List<Enqueued> all =
        jobs.enqueueAll(
            List.of(
                task("other"),
                once.replaceWaiting().postpone(wait, Duration.ofMinutes(1)),
                task("a").uniqueKey("k").replaceWaiting().postpone(wait, Duration.ofMinutes(1)),
                task("b").uniqueKey("k").replaceWaiting().postpone(wait, Duration.ofMinutes(1)),
                once));
    long id = all.get(1).id();
    assertThat(all.subList(1, 5))
        .containsExactly(
            Enqueued.of(id, true),
            Enqueued.updated(id),
            Enqueued.updated(id),
            Enqueued.of(id, false));
    queue.await(id, COMPLETED);
    assertThat(worked).containsExactlyInAnyOrder("other", "b");
  }

  @Test
  void started_job_or_job_of_another_type_is_not_replaced() {
    JobQueue jobs = start(ReceiveMode.LEASED);
    List<Enqueued> answers = Collections.synchronizedList(new ArrayList<>());
    JobRequest again = task("again").uniqueKey("k").replaceWaiting();
    scripts.put(
        "a",
        (task, context) -> {
          answers.add(jobs.enqueue(again.postpone(Duration.ZERO, Duration.ZERO)));
          return JobResult.done();
        });
    long id = completed(task("a").uniqueKey("k"));
    assertThat(answers).containsExactly(Enqueued.of(id, false));

    long waits = enqueue(task("b").uniqueKey("k").queue("r").delay(Duration.ofHours(1)));
    assertThat(jobs.enqueue(again)).isEqualTo(Enqueued.of(waits, false));
    long blocked = enqueue(task("c").uniqueKey("l").after(waits));
    assertThat(jobs.enqueue(task("d").uniqueKey("l").replaceWaiting()))
        .isEqualTo(Enqueued.of(blocked, false));
    assertThat(jobs.find(waits).orElseThrow().payload(Task.class)).isEqualTo(new Task("b"));
    assertThat(jobs.find(blocked).orElseThrow().payload(Task.class)).isEqualTo(new Task("c"));
    assertThat(worked).containsExactly("a");
  }

  @Test
  void job_between_two_attempts_takes_the_new_payload_and_keeps_its_pause() {
    JobQueue jobs = start();
    scripts.put("a", (task, context) -> JobResult.retryLater(Duration.ofHours(1)));
    long id = enqueue(task("a").uniqueKey("k"));
    queue.await(id, SCHEDULED);
    Instant due = jobs.find(id).orElseThrow().availableAt();
    jobs.enqueue(
        task("b")
            .uniqueKey("k")
            .replaceWaiting()
            .postpone(Duration.ofHours(5), Duration.ofHours(9)));
    JobStatus now = jobs.find(id).orElseThrow();
    assertThat(now.availableAt()).isEqualTo(due);
    assertThat(now.payload(Task.class)).isEqualTo(new Task("b"));
  }

  @Test
  void request_that_cannot_replace_or_postpone_is_refused() {
    JobQueue jobs = start();
    Duration wait = Duration.ofSeconds(5);
    assertThatThrownBy(() -> jobs.enqueue(task("a").replaceWaiting()))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("uniqueKey is null; replaceWaiting and postpone change the job");
    assertThatThrownBy(() -> jobs.enqueue(task("a").uniqueKey("k").group("g").postpone(wait, wait)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("leave out group");
    assertThatThrownBy(
            () -> jobs.enqueue(task("a").uniqueKey("k").postpone(wait, Duration.ofSeconds(4))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(
            "latestStart is PT4S; specify at least the value of postpone, which is PT5S");
    assertThatThrownBy(() -> jobs.enqueue(task("a").uniqueKey("k").postpone(wait, null)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("specify both or neither");
  }

  @Test
  void jobs_of_a_queue_are_browsed_and_purged() {
    JobQueue jobs = start();
    Duration later = Duration.ofHours(1);
    long first = enqueue(task("a").delay(later).correlationId("c").property("p", "1"));
    long second = enqueue(task("b").delay(later).property("p", "2"));
    long other = jobs.enqueue(JobRequest.of("other", "text/plain", "x").queue("q")).id();

    assertThat(ids(jobs, JobSelection.all())).containsExactly(first, second, other);
    assertThat(ids(jobs, JobSelection.all().types("other"))).containsExactly(other);
    assertThat(ids(jobs, JobSelection.all().state(AVAILABLE))).containsExactly(other);
    assertThat(ids(jobs, JobSelection.all().correlationId("c"))).containsExactly(first);
    assertThat(ids(jobs, JobSelection.all().property("p", "2"))).containsExactly(second);
    assertThat(ids(jobs, JobSelection.all().limit(1))).containsExactly(first);
    Job page = jobs.browse("q", JobSelection.all().limit(1)).get(0);
    assertThat(page.payload(Task.class)).isEqualTo(new Task("a"));
    assertThat(ids(jobs, JobSelection.all().startAfter(page))).containsExactly(second, other);

    assertThat(jobs.purge("q")).isEqualTo(3);
    assertThat(queue.state(other)).isEqualTo(CANCELLED);
    assertThat(ids(jobs, JobSelection.all())).isEmpty();
  }

  private static List<Long> ids(JobQueue jobs, JobSelection selection) {
    return jobs.browse("q", selection).stream().map(Job::id).toList();
  }

  @Test
  void request_passed_as_a_payload_is_enqueued_as_a_request() {
    JobQueue jobs = start();
    Object request = task("a").queue("q");
    jobs.enqueue(request);
    assertThat(jobs.browse("q", JobSelection.all()))
        .singleElement()
        .satisfies(job -> assertThat(job.payload(Task.class)).isEqualTo(new Task("a")));
  }

  @Test
  void property_that_the_database_cannot_store_is_refused() {
    JobQueue jobs = start();
    for (JobRequest request :
        List.of(
            task("a").property("p", "\0"),
            task("a").property("p\0", "1"),
            task("a").property("p", "\ud800"),
            task("a").property("p\udc00", "1"))) {
      assertThatThrownBy(() -> jobs.enqueue(request))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageStartingWith("property ")
          .hasMessageContaining("'p")
          .hasMessageContaining("NUL or");
    }
    assertThat(ids(jobs, JobSelection.all().property("p", "1"))).isEmpty();
  }

  @Test
  void request_that_breaks_a_rule_is_refused_by_name() {
    JobQueue jobs = start();
    assertThatThrownBy(() -> jobs.enqueue("no record"))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("has no job type; put @JobType");
    assertThatThrownBy(() -> jobs.enqueue(List.of(new Task("a"))))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("enqueue several jobs with enqueueAll");
    assertThatThrownBy(() -> jobs.enqueue(task("a").priority(10)))
        .hasMessageContaining("priority is 10; specify 0 (last) to 9 (first)");
    assertThatThrownBy(() -> jobs.enqueue(task("a".repeat(1024 * 1024))))
        .hasMessageContaining("readpast.payload.max-size");
    assertThatThrownBy(() -> jobs.enqueueAll(List.of(task("ok"), task("a").queue("no queue"))))
        .hasMessageContaining("queue 'no queue' is not a valid name");
    assertThat(ids(jobs, JobSelection.all())).isEmpty();
  }
}
