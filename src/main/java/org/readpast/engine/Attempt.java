package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * One job in work on a thread of this node: what its handler sees of it, and what the watch knows.
 */
final class Attempt implements JobContext, Interruptible {
  /** Why an attempt was interrupted. */
  enum Stop {
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
  private final List<NewJob> followers = new ArrayList<>();
  private volatile boolean cancellationRequested;
  private final boolean transactional;
  private final OnLostLease onLostLease;
  private final CrashIsolation.@Nullable Turn turn;
  private int backend;
  private @Nullable Stop stop;
  private @Nullable Runnable onInterrupt;
  private @Nullable RuntimeException unworkable;
  private boolean over;

  Attempt(
      ClaimedJob job,
      Map<String, String> properties,
      Duration timeout,
      int maxAttempts,
      boolean transactional,
      OnLostLease onLostLease,
      CrashIsolation.@Nullable Turn turn,
      Reporter reporter) {
    this.job = job;
    this.maxAttempts = maxAttempts;
    this.properties = properties;
    this.timeout = timeout;
    this.transactional = transactional;
    this.onLostLease = onLostLease;
    this.turn = turn;
    this.reporter = reporter;
    this.output = new OutputBuffer(job);
  }

  /** What an attempt asks of and tells the database and the API while it works. */
  interface Reporter {
    Instrumentation.Observation observe(ClaimedJob job, Map<String, String> properties);

    boolean stillOwner(ClaimedJob job);

    @Nullable String lastFailure(ClaimedJob job);

    /** Stores output now, or later while the database is unavailable. Never throws. */
    void store(OutputBuffer output);

    NewJob prepare(JobRequest request);

    String write(Object result);
  }

  /** From just before to just after its handler's work. */
  Instrumentation.Observation observed() {
    return reporter.observe(job, properties);
  }

  /** Its handler is not to be called: this is what the attempt fails with. */
  void unworkable(RuntimeException why) {
    unworkable = why;
  }

  void requireWorkable() {
    if (unworkable != null) {
      throw unworkable;
    }
  }

  /** What the handler gave, as JSON. */
  @Nullable String written(JobResult.Done done) {
    Object result = done.result();
    return result == null ? null : reporter.write(result);
  }

  ClaimedJob job() {
    return job;
  }

  Duration age(long now) {
    return Duration.ofNanos(now - startedNanos);
  }

  boolean overdue(long now, Duration grace) {
    return now - startedNanos > timeout.plus(grace).toNanos();
  }

  /** Returns true if it is worked in a transaction that also ends it. */
  boolean transactional() {
    return transactional;
  }

  /** Returns true if it must not run on when its lease may be lost. */
  boolean interruptedOnLostLease() {
    return !transactional && onLostLease == OnLostLease.INTERRUPT;
  }

  /** Returns true if the job has a single attempt. */
  boolean startsOnce() {
    return maxAttempts == 1;
  }

  /** The database session of its transaction. */
  synchronized void worksOn(int session) {
    backend = session;
  }

  /** The process id of the database session of its transaction; 0: it has none, or is over. */
  synchronized int backend() {
    return over ? 0 : backend;
  }

  /** Jobs that come to exist when this one ends well. */
  List<NewJob> followers() {
    return followers;
  }

  /** Lets another suspect in, if this is one. */
  void endTurn() {
    if (turn != null) {
      turn.end();
    }
  }

  void requestCancellation() {
    cancellationRequested = true;
    tellHandler();
  }

  /** Interrupts the handler, once, unless it is through; says why to whoever asks afterwards. */
  synchronized boolean interrupt(Stop why) {
    if (over || stop != null) {
      return false;
    }
    stop = why;
    thread.interrupt();
    tellHandler();
    return true;
  }

  /**
   * Gives up on a handler that does not heed the interrupt; whatever it says later is void. True
   * once.
   */
  synchronized boolean abandon() {
    if (over || stop == Stop.ABANDONED) {
      return false;
    }
    stop = Stop.ABANDONED;
    tellHandler();
    return true;
  }

  /**
   * Does a step to the session of its transaction, unless the handler has returned: until the step
   * is done its thread waits with the session, so that the session is no other client's.
   */
  synchronized void withSession(IntConsumer step) {
    if (!over && backend != 0) {
      step.accept(backend);
    }
  }

  /** Whether its handler was given up on. */
  synchronized boolean abandoned() {
    return stop == Stop.ABANDONED;
  }

  Thread thread() {
    return thread;
  }

  @Override
  public synchronized void onInterrupt(@Nullable Runnable step) {
    onInterrupt = step;
  }

  /** Under the lock, so that the step is never done once the handler has withdrawn it. */
  private synchronized void tellHandler() {
    if (onInterrupt != null) {
      try {
        onInterrupt.run();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "READPAST-0061 a handler cannot be told to end", e);
      }
    }
  }

  /**
   * The handler is through: from now on its thread is not interrupted. Gives why it was, or null.
   */
  synchronized @Nullable Stop finish() {
    over = true;
    return stop;
  }

  synchronized boolean interrupted() {
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
    NewJob follower = reporter.prepare(JobRequest.of(request));
    followers.add(follower.by(job.enqueuedBy()));
  }
}
