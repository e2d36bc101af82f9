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
import org.readpast.runtime.JobPreparer;
import org.readpast.testkit.Work.FailedAttempt;

/**
 * Implements {@link JobQueue} for unit tests: in memory, without a server, on a clock that stands
 * still until the test moves it. Handlers run on the test's own thread, when the test runs them.
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
 * postpone, pause and resume, cancel and reset, and which requests are refused, with which
 * messages. In mode TRANSACTIONAL, jobs that a handler enqueues through this queue exist only if
 * the handler succeeds.
 *
 * <p><b>Unlike the real engine</b>: one job runs at a time, so there are no races; pauses have no
 * jitter; timeouts, concurrency and jobs per transaction have no effect. Annotations apply, but
 * configuration ({@code readpast.type.…}) is not read. There is no CDI: an interceptor such as
 * {@code @Transactional} has no effect, and {@link #transaction} replaces it; a {@code @Background}
 * method runs immediately, and no observers are called. No user is signed in, and roles are not
 * checked. Ended jobs are kept in memory. Schedules do not fire, and rules, SQL jobs and webhooks
 * do not exist: call their handlers, or enqueue their jobs. Jobs cannot run or be awaited inside a
 * transaction.
 *
 * <p>Payloads are converted by JSON Binding as on the server, which requires an implementation on
 * the test class path: {@code org.eclipse:yasson}.
 *
 * <p>Only one thread can use the queue at a time; other threads wait.
 */
public final class TestJobQueue extends MemoryQueue {
  private static final int MOST_ATTEMPTS = 10_000;

  private boolean failuresAllowed;

  /** Creates an empty queue whose clock is set to the current time. */
  public TestJobQueue() {
    this(Instant.now());
  }

  /** Creates an empty queue whose clock is set to the given time. */
  public TestJobQueue(Instant now) {
    super(now);
  }

  /**
   * Registers all handlers of an object, which may be a {@link JobHandler}, have {@code @Handles}
   * methods, or both. Jobs of a type without a handler stay AVAILABLE.
   *
   * @throws ReadpastException if the object handles no jobs, if a method does not have the form of
   *     a handler, or if a type already has a handler
   */
  public synchronized TestJobQueue handler(Object handler) {
    Registered.of(handler).forEach(work::add);
    return this;
  }

  /**
   * Registers a handler for one payload class, such as a lambda; the handler's class may have
   * {@code @Retries}.
   */
  public synchronized <T> TestJobQueue handler(Class<T> payload, JobHandler<T> handler) {
    work.add(Registered.of(payload, handler, handler.getClass()));
    return this;
  }

  /**
   * Allows attempts to fail from now on: {@link #drain}, {@link #advance} and {@link #await} then
   * do not throw an error for failed attempts. Check {@link TestJob#state} and {@link
   * TestJob#lastFailure} instead.
   */
  public synchronized TestJobQueue allowFailures() {
    failuresAllowed = true;
    return this;
  }

  /** Returns the time of the clock. */
  public synchronized Instant now() {
    return memory.now;
  }

  /**
   * Runs all jobs that can run now, and the jobs that they make available; the clock does not move.
   *
   * @throws AssertionError after all jobs have run, if an attempt failed with an exception or a job
   *     was discarded; the error contains all exceptions, and is not thrown if {@link
   *     #allowFailures failures are allowed}
   */
  public synchronized void drain() {
    outside("drain");
    workAll();
    report();
  }

  /**
   * Moves the clock forward: runs the jobs that can run now and then, in order, each job that
   * becomes due by the new time, at its due time.
   *
   * @throws AssertionError under the same conditions as {@link #drain}
   */
  public synchronized void advance(Duration time) {
    outside("advance");
    Instant end = memory.now.plus(checked(time));
    workAll();
    for (Instant next = memory.nextMoment();
        next != null && !next.isAfter(end);
        next = memory.nextMoment()) {
      memory.now = next;
      order.resolve();
      workAll();
    }
    memory.now = end;
    report();
  }

  private void outside(String verb) {
    if (memory.inTransaction() || work.working()) {
      throw new ReadpastException(
          verb
              + " runs jobs, and cannot be called "
              + (work.working() ? "by a handler" : "inside a transaction")
              + "; call it outside handlers and transactions");
    }
  }

  private void workAll() {
    for (int i = 0; work.workOne(); i++) {
      if (i == MOST_ATTEMPTS) {
        throw new AssertionError(
            MOST_ATTEMPTS
                + " attempts ran at one point in time, and jobs are still due: does a job"
                + " enqueue itself, or retry without a pause? Waiting: "
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
                  + "; if this is part of the test, call allowFailures() first",
              failed.get(0).thrown());
      failed.stream().skip(1).forEach(one -> error.addSuppressed(one.thrown()));
      throw error;
    }
  }

  private static String list(Stream<?> many) {
    return many.limit(20).map(Object::toString).collect(Collectors.joining("; "));
  }

  /**
   * Runs code in a transaction, as {@code @Transactional} would. The jobs that the code enqueues
   * exist from the end of the transaction on. The enqueued jobs do not exist if the code throws an
   * exception, or calls {@code retryLater} or {@code failNow} on a received job. Inside another
   * transaction, the code joins that transaction.
   *
   * @throws Exception the exception that the code threw
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
      order.resolve();
    }
  }

  /** Returns all live and ended jobs, in the order in which they were enqueued. */
  public synchronized List<TestJob> jobs() {
    return memory.all().stream().<TestJob>map(job -> TestJobView.of(job, job.state)).toList();
  }

  /** Returns all jobs of one type. */
  public List<TestJob> jobs(Class<?> payload) {
    String type = type(payload);
    return jobs().stream().filter(job -> job.type().equals(type)).toList();
  }

  /** Returns one job. */
  public synchronized TestJob job(long id) {
    MemoryJob job = existing(id);
    return TestJobView.of(job, job.state);
  }

  /**
   * Asserts that a job of this type was enqueued, regardless of its current state, and returns the
   * first one.
   */
  public TestJob assertEnqueued(Class<?> payload) {
    return assertEnqueued(payload, any -> true);
  }

  /**
   * Asserts that a job of this type with a matching payload was enqueued, and returns the first
   * one.
   */
  public <T> TestJob assertEnqueued(Class<T> payload, Predicate<? super T> fits) {
    return assertEnqueued(type(payload), job -> fits.test(job.payload(payload)));
  }

  /**
   * Asserts that a matching job of this type was enqueued, and returns the first one; use it to
   * check headers, or payloads of any content type.
   */
  public TestJob assertEnqueued(String type, Predicate<? super TestJob> fits) {
    return matching(type, fits)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "no job of type '"
                        + type
                        + "' that matches was enqueued, but: "
                        + (jobs().isEmpty() ? "no job at all" : list(jobs().stream()))));
  }

  /** Asserts that no job of this type was enqueued. */
  public void assertNotEnqueued(Class<?> payload) {
    assertNotEnqueued(type(payload), any -> true);
  }

  /** Asserts that no matching job of this type was enqueued. */
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
    var type = JobPreparer.type(payload);
    if (type == null) {
      throw new ReadpastException(
          payload.getName() + " has no job type; put @JobType(\"…\") on it, or name the type");
    }
    return type.value();
  }
}
