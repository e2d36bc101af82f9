package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobRequest;
import org.readpast.api.JobResult;
import org.readpast.api.OnLostLease;
import org.readpast.model.ContentType;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.store.ClaimedJob;

/**
 * Represents one run of a job's handler on a thread of this node. An attempt contains what the
 * handler sees of the job, and what {@link Watchdog} needs to know.
 */
final class Attempt implements JobContext, Interruptible {
  /** Identifies the reason for stopping an attempt. */
  enum StopReason {
    TIMED_OUT,
    OWNER_LOST,
    SHUTDOWN,
    ABANDONED
  }

  private static final Logger LOG = System.getLogger(Attempt.class.getName());

  private final ClaimedJob job;
  private final Map<String, String> properties;
  private final Duration timeout;
  private final int maxAttempts;
  private final Reporter reporter;
  private final OutputBuffer output;
  private final Thread thread = Thread.currentThread();
  private final long startedNanos = System.nanoTime();
  private final List<NewJob> toEnqueue = new ArrayList<>();
  private volatile boolean cancellationRequested;
  private final boolean transactional;
  private final OnLostLease onLostLease;
  private final CrashIsolation.Admission admission;
  private volatile int backend;
  private volatile @Nullable StopReason stop;
  // Each of these locks guards only one step, which may take a long time. Neither heartbeats nor
  // checks wait for them.
  private final Object sessionLock = new Object();
  private final Object stepLock = new Object();
  private volatile @Nullable Runnable onInterrupt;
  private final AtomicBoolean stepRuns = new AtomicBoolean();
  private @Nullable RuntimeException failBeforeStart;
  private volatile boolean handlerReturned;

  Attempt(
      ClaimedJob job,
      Map<String, String> properties,
      Duration timeout,
      int maxAttempts,
      boolean transactional,
      OnLostLease onLostLease,
      CrashIsolation.Admission admission,
      Reporter reporter) {
    this.job = job;
    this.maxAttempts = maxAttempts;
    this.properties = properties;
    this.timeout = timeout;
    this.transactional = transactional;
    this.onLostLease = onLostLease;
    this.admission = admission;
    this.reporter = reporter;
    this.output = new OutputBuffer(job);
  }

  /** Provides the operations of the database and the API that an attempt uses. */
  interface Reporter {
    Instrumentation.Observation observe(ClaimedJob job, Map<String, String> properties);

    boolean stillOwner(ClaimedJob job);

    @Nullable String lastFailure(ClaimedJob job);

    /**
     * Stores output immediately, or later if the database is unavailable. Never throws an
     * exception.
     */
    void store(OutputBuffer output);

    NewJob prepare(JobRequest request);

    String write(Object result);

    /** Runs a step on another thread if possible. */
    void start(Runnable step);
  }

  /** Begins to observe the handler; the observation covers only the run of the handler. */
  Instrumentation.Observation observed() {
    return reporter.observe(job, properties);
  }

  /** Makes this attempt fail with the given exception, without calling its handler. */
  void failBeforeStart(RuntimeException why) {
    failBeforeStart = why;
  }

  void requireStartable() {
    if (failBeforeStart != null) {
      throw failBeforeStart;
    }
  }

  /** Returns the result of the handler as JSON; null if there is none. */
  @Nullable String resultJson(JobResult.Done done) {
    Object result = done.result();
    return result == null ? null : reporter.write(result);
  }

  ClaimedJob job() {
    return job;
  }

  long startedNanos() {
    return startedNanos;
  }

  Duration age(long now) {
    return Duration.ofNanos(now - startedNanos);
  }

  boolean overdue(long now, Duration grace) {
    return now - startedNanos > timeout.plus(grace).toNanos();
  }

  /** Returns true if the job runs in a transaction that also ends the job. */
  boolean transactional() {
    return transactional;
  }

  /** Returns true if the handler must be interrupted when its lease may have been lost. */
  boolean interruptedOnLostLease() {
    return !transactional && onLostLease == OnLostLease.INTERRUPT;
  }

  /** Returns the maximum number of attempts that applies to the job. */
  int maxAttempts() {
    return maxAttempts;
  }

  /** Sets the database session in which the attempt's transaction runs. */
  void setBackend(int session) {
    backend = session;
  }

  /**
   * Returns the process id of the database session in which the attempt's transaction runs; 0 if
   * there is none, or if the attempt has finished.
   */
  int backend() {
    return handlerReturned ? 0 : backend;
  }

  /** Returns the jobs to enqueue if this job succeeds. */
  List<NewJob> toEnqueue() {
    return toEnqueue;
  }

  /** Ends the admission of the job although its handler still runs. */
  void endAdmission() {
    admission.end();
  }

  void requestCancellation() {
    cancellationRequested = true;
    notifyHandler();
  }

  /**
   * Interrupts the handler and returns true, unless the handler has returned or was stopped before.
   * The method {@link #finish} then returns the reason.
   */
  boolean interrupt(StopReason why) {
    synchronized (this) {
      if (handlerReturned || stop != null) {
        return false;
      }
      stop = why;
      thread.interrupt();
    }
    notifyHandler();
    return true;
  }

  /**
   * Abandons a handler that ignores the interrupt; its outcome no longer counts. Returns false if
   * the handler has returned or was abandoned before.
   */
  boolean abandon() {
    synchronized (this) {
      if (handlerReturned || stop == StopReason.ABANDONED) {
        return false;
      }
      stop = StopReason.ABANDONED;
    }
    notifyHandler();
    return true;
  }

  /**
   * Runs a step on the database session of the attempt's transaction, unless the handler has
   * returned. Until the step has finished, the handler's thread keeps the session, so that no other
   * client can get it.
   */
  void withSession(IntConsumer step) {
    synchronized (sessionLock) {
      if (!handlerReturned && backend != 0) {
        step.accept(backend);
      }
    }
  }

  /** Returns true if the engine has abandoned the handler. */
  boolean abandoned() {
    return stop == StopReason.ABANDONED;
  }

  Thread thread() {
    return thread;
  }

  @Override
  public void onInterrupt(@Nullable Runnable step) {
    synchronized (stepLock) {
      onInterrupt = step;
    }
  }

  private void notifyHandler() {
    // Each heartbeat requests a cancellation again, but a driver may take longer to cancel.
    if (onInterrupt != null && stepRuns.compareAndSet(false, true)) {
      reporter.start(this::runStep);
    }
  }

  /** Runs the step under a lock, so that it does not run after the handler has removed it. */
  private void runStep() {
    try {
      synchronized (stepLock) {
        Runnable step = onInterrupt;
        if (step != null) {
          step.run();
        }
      }
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "READPAST-0061 the running SQL statement of job "
              + job.id()
              + " could not be cancelled; it runs until it ends or readpast.sql.timeout has passed",
          e);
    } finally {
      stepRuns.set(false);
    }
  }

  /**
   * Records that the handler has returned, so that its thread is no longer interrupted. Returns the
   * reason why the attempt was stopped, or null if it was not.
   */
  @Nullable StopReason finish() {
    synchronized (sessionLock) {
      synchronized (this) {
        handlerReturned = true;
        return stop;
      }
    }
  }

  boolean interrupted() {
    return stop != null;
  }

  @Override
  public long id() {
    return job.id();
  }

  @Override
  public String queue() {
    return job.queue();
  }

  @Override
  public String type() {
    return StoredType.nameOf(job.type());
  }

  @Override
  public int version() {
    return StoredType.of(job.type()).version();
  }

  @Override
  public int attempt() {
    return job.attempt();
  }

  @Override
  public int retriesRemaining() {
    return maxAttempts == JobRequest.UNLIMITED
        ? maxAttempts
        : Math.max(0, maxAttempts - job.countedStarts());
  }

  @Override
  public @Nullable String lastFailure() {
    return job.attempt() == 1 ? null : reporter.lastFailure(job);
  }

  @Override
  public int priority() {
    return job.priority();
  }

  @Override
  public Instant enqueuedAt() {
    return job.enqueuedAt();
  }

  @Override
  public @Nullable String enqueuedBy() {
    return job.enqueuedBy().name();
  }

  @Override
  public @Nullable String uniqueKey() {
    return job.uniqueKey();
  }

  @Override
  public @Nullable String correlationId() {
    return job.correlationId();
  }

  @Override
  public String contentType() {
    return ContentType.nameOf(job.contentType());
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public boolean stillOwner() {
    return !interrupted() && reporter.stillOwner(job);
  }

  @Override
  public boolean cancellationRequested() {
    return cancellationRequested;
  }

  @Override
  public void progress(long done, long total) {
    output.progress(done, total);
    reporter.store(output);
  }

  @Override
  public void log(String text) {
    output.log(text);
    reporter.store(output);
  }

  @Override
  public void enqueue(Object request) {
    NewJob next = reporter.prepare(JobRequest.of(request));
    toEnqueue.add(next.by(job.enqueuedBy()));
  }
}
