package org.readpast.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.api.JobHandler;
import org.readpast.api.JobQueue;
import org.readpast.api.ReadpastException;
import org.readpast.runtime.Preparation;
import org.readpast.testkit.Work.FailedAttempt;

/**
 * A {@link JobQueue} for unit tests: in memory, without a server, on a clock that stands still
 * until the test moves it. Handlers run on the test's own thread, when it says so.
 *
 * <pre>{@code
 * TestJobQueue jobs = new TestJobQueue();
 * jobs.handler(new SendInvoiceHandler(mail));
 * new OrderService(jobs).place(order);
 *
 * jobs.assertEnqueued(SendInvoice.class, job -> job.order() == 42);
 * jobs.drain();
 * assertEquals(1, mail.sent());
 * }</pre>
 *
 * <p><b>As in the real engine</b>: retries, pauses and backoff, delays, expiry, priorities, unique
 * keys, groups, batches with their waves and callbacks, predecessors, {@code retryLater} and {@code
 * failNow}, results and {@code await}, {@code receive}, find, run now, reschedule, replace and
 * postpone, pause and resume, cancel and reset, what is refused and why. In mode TRANSACTIONAL what
 * a handler enqueues by this queue comes to be only if it ends well.
 *
 * <p><b>Not as there</b>: one job is worked at a time, so nothing races; pauses have no jitter, and
 * timeouts, concurrency and jobs per transaction mean nothing. Annotations count, configuration
 * ({@code readpast.type.…}) is not read. There is no CDI: an interceptor such as
 * {@code @Transactional} does not act, {@link #transaction} stands for it; a {@code @Background}
 * method runs at once, and nobody observes ends. Nobody is signed in, and roles are not asked for.
 * Ended jobs are kept. Schedules do not fire, and rules, SQL jobs and webhooks are not there: call
 * their handlers, or enqueue their jobs. Inside of a transaction, jobs cannot be worked or awaited.
 *
 * <p>Payloads go through JSON Binding as on the server, which wants an implementation on the test
 * class path: {@code org.eclipse:yasson}.
 *
 * <p>For one thread at a time; it keeps others waiting.
 */
public final class TestJobQueue extends MemoryQueue {
  private static final int MOST_ATTEMPTS = 10_000;

  private boolean failuresAllowed;

  /** An empty queue; its clock stands at the present moment. */
  public TestJobQueue() {
    this(Instant.now());
  }

  /** An empty queue whose clock stands at a moment. */
  public TestJobQueue(Instant now) {
    super(now);
  }

  /**
   * Registers all that an object handles: as a {@link JobHandler}, by {@code @Handles} methods, or
   * both. Jobs of a type without a handler stay AVAILABLE.
   *
   * @throws ReadpastException if it handles nothing, has not the shape of a handler, or its type
   *     has one
   */
  public synchronized TestJobQueue handler(Object handler) {
    Registered.of(handler).forEach(work::add);
    return this;
  }

  /** Registers a handler of one payload, such as a lambda; {@code @Retries} may be on the class. */
  public synchronized <T> TestJobQueue handler(Class<T> payload, JobHandler<T> handler) {
    work.add(Registered.of(payload, handler, handler.getClass()));
    return this;
  }

  /**
   * From now on attempts may fail: they no longer fail the {@link #drain}, {@link #advance} or
   * {@link #await} that has worked them. Look at {@link TestJob#state} and {@link
   * TestJob#lastFailure}.
   */
  public synchronized TestJobQueue allowFailures() {
    failuresAllowed = true;
    return this;
  }

  /** What the clock says. */
  public synchronized Instant now() {
    return memory.now;
  }

  /**
   * Works all that can be worked now, and what comes of it; the clock stands still.
   *
   * @throws AssertionError if an attempt failed by an exception or a job was discarded, with all
   *     such exceptions, once everything was worked; unless {@link #allowFailures failures are
   *     allowed}
   */
  public synchronized void drain() {
    outside("drain");
    workAll();
    report();
  }

  /**
   * Lets time pass: works what can be worked now, and whatever becomes due on the way at its own
   * moment, in order.
   *
   * @throws AssertionError as {@link #drain} does
   */
  public synchronized void advance(Duration time) {
    outside("advance");
    Instant end = memory.now.plus(checked(time));
    workAll();
    for (Instant next = memory.nextMoment();
        next != null && !next.isAfter(end);
        next = memory.nextMoment()) {
      memory.now = next;
      order.settle();
      workAll();
    }
    memory.now = end;
    report();
  }

  private void outside(String verb) {
    if (memory.inTransaction() || work.working()) {
      throw new ReadpastException(
          verb
              + " works jobs, and cannot be called "
              + (work.working() ? "by a handler" : "inside of a transaction")
              + "; call it in the test, outside");
    }
  }

  private void workAll() {
    for (int i = 0; work.workOne(); i++) {
      if (i == MOST_ATTEMPTS) {
        throw new AssertionError(
            MOST_ATTEMPTS
                + " attempts were worked at one moment, and there is still work: does a job enqueue"
                + " itself, or retry without a pause? Waiting: "
                + list(jobs().stream().filter(job -> !job.state().ended())));
      }
    }
  }

  @Override
  void report() {
    List<FailedAttempt> failed = work.takeFailed();
    if (!failed.isEmpty() && !failuresAllowed) {
      AssertionError error =
          new AssertionError(
              "failed: "
                  + list(failed.stream())
                  + "; where that is part of the test, say allowFailures() first",
              failed.get(0).thrown());
      failed.stream().skip(1).forEach(one -> error.addSuppressed(one.thrown()));
      throw error;
    }
  }

  private static String list(Stream<?> many) {
    return many.limit(20).map(Object::toString).collect(Collectors.joining("; "));
  }

  /**
   * Does something in a transaction, as {@code @Transactional} would: what it enqueues comes to be
   * at its end, or not at all if it throws or has a received job tried later or discarded. Within
   * another one it joins that.
   *
   * @throws Exception what it threw
   */
  public synchronized <T> T transaction(Callable<T> doing) throws Exception {
    if (memory.inTransaction()) {
      return doing.call();
    }
    memory.begin();
    boolean committed = false;
    try {
      T result = doing.call();
      if (!memory.rollbackOnly()) {
        memory.commit();
        committed = true;
      }
      return result;
    } finally {
      if (!committed) {
        memory.rollBack().forEach(work::rolledBack);
      }
      order.settle();
    }
  }

  /** All jobs there ever were, in the order in which they were enqueued. */
  public synchronized List<TestJob> jobs() {
    return memory.all().stream().<TestJob>map(job -> TestJobView.of(job, job.state)).toList();
  }

  /** Those of one type. */
  public List<TestJob> jobs(Class<?> payload) {
    String type = type(payload);
    return jobs().stream().filter(job -> job.type().equals(type)).toList();
  }

  /** One job. */
  public synchronized TestJob job(long id) {
    MemoryJob job = existing(id);
    return TestJobView.of(job, job.state);
  }

  /** That a job of this type was enqueued, whatever has become of it since; gives the first. */
  public TestJob assertEnqueued(Class<?> payload) {
    return assertEnqueued(payload, any -> true);
  }

  /** That a job of this type whose payload fits was enqueued; gives the first. */
  public <T> TestJob assertEnqueued(Class<T> payload, Predicate<? super T> fits) {
    return assertEnqueued(type(payload), job -> fits.test(job.payload(payload)));
  }

  /** That a job of this type that fits was enqueued: its headers, or a payload of any content. */
  public TestJob assertEnqueued(String type, Predicate<? super TestJob> fits) {
    return matching(type, fits)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no job of type '"
                        + type
                        + "' that fits was enqueued, but: "
                        + (jobs().isEmpty() ? "none at all" : list(jobs().stream()))));
  }

  /** That no job of this type was enqueued. */
  public void assertNotEnqueued(Class<?> payload) {
    assertNotEnqueued(type(payload), any -> true);
  }

  /** That no job of this type that fits was enqueued. */
  public void assertNotEnqueued(String type, Predicate<? super TestJob> fits) {
    List<TestJob> found = matching(type, fits).toList();
    if (!found.isEmpty()) {
      throw new AssertionError("was enqueued: " + list(found.stream()));
    }
  }

  private Stream<TestJob> matching(String type, Predicate<? super TestJob> fits) {
    return jobs().stream().filter(job -> job.type().equals(type)).filter(fits);
  }

  private static String type(Class<?> payload) {
    var type = Preparation.type(payload);
    if (type == null) {
      throw new ReadpastException(
          payload.getName() + " names no job type; put @JobType(\"…\") on it, or name the type");
    }
    return type.value();
  }
}
