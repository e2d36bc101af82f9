package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.JobRequest;
import org.readpast.api.ReadpastException;
import org.readpast.database.Outage;
import org.readpast.database.Transactions;
import org.readpast.database.TransientErrors;
import org.readpast.engine.CrashIsolation.Admission;
import org.readpast.model.NewJob;
import org.readpast.model.Rule;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;

/**
 * Creates the contexts of attempts, and accesses the database for them on the engine's own
 * connections.
 */
final class AttemptFactory implements Attempt.Reporter {
  private static final Logger LOG = System.getLogger(AttemptFactory.class.getName());

  private final Transactions transactions;
  private final Claims claims;
  private final Nodes nodes;
  private final Function<JobRequest, NewJob> preparer;
  private final Function<@Nullable String, Map<String, String>> propertyReader;
  private final Function<Object, String> resultWriter;
  private final Instrumentation instrumentation;
  private final Threads threads;
  private final Outage outage;
  private final Set<OutputBuffer> unstored = ConcurrentHashMap.newKeySet();

  AttemptFactory(Claims claims, Nodes nodes, EnginePorts from) {
    this.transactions = from.transactions();
    this.claims = claims;
    this.nodes = nodes;
    this.preparer = from.preparer();
    this.propertyReader = from.propertyReader();
    this.resultWriter = from.resultWriter();
    this.instrumentation = from.instrumentation();
    this.threads = from.threads();
    this.outage = from.outage();
  }

  /**
   * Creates the context of an attempt. Never throws an exception: a job that cannot run must fail
   * an attempt, or it would be leased repeatedly.
   */
  Attempt begin(
      ClaimedJob job, HandlerDefinition handler, boolean transactional, Admission admission) {
    Map<String, String> properties = Map.of();
    NewJob next = null;
    RuntimeException startFailure = null;
    String encrypted = job.encrypted();
    if (encrypted != null) {
      startFailure = new UnreadablePayloadException(encrypted, null);
    }
    try {
      properties = propertyReader.apply(job.properties());
      String then = properties.get(Rule.THEN);
      if (then != null && encrypted == null) {
        next = next(job, then);
        properties = forHandler(properties);
      }
    } catch (RuntimeException e) {
      startFailure = new ReadpastException("the properties of the job cannot be read", e);
    }
    Attempt attempt =
        new Attempt(
            job,
            properties,
            handler.timeout(),
            Verdict.mostAttempts(job.maxAttempts(), handler.retries()),
            transactional,
            handler.onLostLease(),
            admission,
            this);
    if (next != null) {
      attempt.toEnqueue().add(next);
    }
    if (startFailure != null) {
      attempt.failBeforeStart(startFailure);
    }
    return attempt;
  }

  /**
   * Records that an attempt is about to start, if the next heartbeat would be too late. The start
   * is recorded of jobs that may be attempted only once, and of jobs that were leased by a node
   * that died, because another death must not go unnoticed. The record takes one more commit, but
   * only for few jobs.
   *
   * @param maxAttempts the maximum number of attempts that applies to the job
   * @return false if this claim no longer owns the job
   */
  boolean recordStart(ClaimedJob job, int maxAttempts) {
    return !(job.leasedAtDeath() || maxAttempts == 1) || claims.recordStart(job);
  }

  /**
   * Removes the engine's own properties, because a handler may copy properties to jobs that it
   * enqueues.
   */
  private static Map<String, String> forHandler(Map<String, String> properties) {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.remove(Rule.THEN);
    return Map.copyOf(shown);
  }

  /**
   * Creates a job of another type that processes the same object. The created job takes over the
   * unique key, which this job releases when it ends.
   */
  private static NewJob next(ClaimedJob job, String type) {
    return new NewJob(
            job.queue(),
            type,
            job.priority(),
            null,
            null,
            null,
            null,
            job.uniqueKey(),
            job.correlationId(),
            null,
            null,
            job.payload())
        .by(job.enqueuedBy());
  }

  @Override
  public Instrumentation.Observation observe(ClaimedJob job, Map<String, String> properties) {
    return instrumentation.begin(job, properties);
  }

  @Override
  public boolean stillOwner(ClaimedJob job) {
    return transactions.autoCommit(() -> claims.owns(job));
  }

  @Override
  public @Nullable String lastFailure(ClaimedJob job) {
    return transactions
        .requiresNew(() -> Optional.ofNullable(nodes.lastFailure(job.id())))
        .orElse(null);
  }

  @Override
  public void store(OutputBuffer output) {
    unstored.add(output);
    if (outage.unavailable()) {
      return;
    }
    // A pool may refuse a connection to an interrupted thread, which would look like an outage.
    boolean interrupted = Thread.interrupted();
    try {
      storeOutputNow(output);
    } catch (RuntimeException e) {
      outage.warn(
          LOG,
          "READPAST-0042 progress or log lines of job "
              + output.job.id()
              + " could not be stored; this node tries again at the next heartbeat and"
              + " when the job ends",
          e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Stores the buffered output of running handlers. Throws an exception if the database is
   * unavailable.
   */
  void catchUp() {
    // Skips output that a handler is currently storing, so that the heartbeat is not delayed.
    for (OutputBuffer output : unstored) {
      if (output.lock.tryLock()) {
        try {
          if (unstored.contains(output)) {
            storeOutputNow(output);
          }
        } finally {
          output.lock.unlock();
        }
      }
    }
  }

  /**
   * Stores the buffered output of jobs that are about to end, because the fence refuses the output
   * afterwards. Throws an exception if the database is unavailable.
   */
  void storeOutputBeforeEnd(Collection<ClaimedJob> ends) {
    unstored(ends).forEach(this::storeOutputNow);
  }

  /** Stores the buffered output of jobs in the current transaction, which ends them. */
  void storeOutputInTransaction(Collection<ClaimedJob> ends) {
    for (OutputBuffer output : unstored(ends)) {
      output.lock.lock();
      try {
        nodes.output(output.job, output.lines(), output.progress());
        unstored.remove(output);
      } finally {
        output.lock.unlock();
      }
      transactions.afterCompletion(
          committed -> {
            if (!committed) {
              unstored.add(output);
            }
          });
    }
  }

  private List<OutputBuffer> unstored(Collection<ClaimedJob> jobs) {
    return unstored.stream()
        .filter(
            output ->
                jobs.stream()
                    .anyMatch(
                        job ->
                            job.id() == output.job.id() && job.claimNo() == output.job.claimNo()))
        .toList();
  }

  private void storeOutputNow(OutputBuffer output) {
    output.lock.lock();
    try {
      if (!output.isEmpty()) {
        transactions.autoCommit(() -> nodes.output(output.job, output.lines(), output.progress()));
      }
      forget(output);
    } catch (RuntimeException e) {
      if (TransientErrors.isOutage(e) || e instanceof DatabaseUnavailableException) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "READPAST-0043 the database refused progress or log lines of job "
              + output.job.id()
              + "; they are dropped, and the job continues",
          e);
      forget(output);
    } finally {
      output.lock.unlock();
    }
  }

  private void forget(OutputBuffer output) {
    output.clear();
    unstored.remove(output);
  }

  @Override
  public NewJob prepare(JobRequest request) {
    return preparer.apply(request);
  }

  @Override
  public String write(Object result) {
    return resultWriter.apply(result);
  }

  @Override
  public void start(Runnable step) {
    if (!threads.tryStart(step)) {
      step.run();
    }
  }
}
