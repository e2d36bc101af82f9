package org.readpast.engine;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.api.ReadpastException;
import org.readpast.model.NewJob;
import org.readpast.model.Rule;
import org.readpast.model.Verdict;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Nodes;
import org.readpast.store.Transactions;

/**
 * Makes the contexts of attempts, and carries what they tell to the database on the node's own
 * connection.
 */
final class Attempts implements Attempt.Reporter {
  private static final int LONGEST_LINE = 4_000;

  private final Transactions transactions;
  private final Claims claims;
  private final Nodes nodes;
  private final Function<JobRequest, NewJob> preparation;
  private final Function<@Nullable String, Map<String, String>> propertyReader;
  private final Function<Object, String> resultWriter;
  private final Instrumentation instrumentation;

  Attempts(Claims claims, Nodes nodes, Surroundings from) {
    this.transactions = from.transactions();
    this.claims = claims;
    this.nodes = nodes;
    this.preparation = from.preparation();
    this.propertyReader = from.propertyReader();
    this.resultWriter = from.resultWriter();
    this.instrumentation = from.instrumentation();
  }

  /**
   * Never throws: a job that cannot be worked has to fail an attempt, or it would be received for
   * ever.
   */
  Attempt begin(
      ClaimedJob job,
      Handling handling,
      boolean transactional,
      CrashIsolation.@Nullable Turn turn) {
    Map<String, String> properties = Map.of();
    NewJob following = null;
    RuntimeException unworkable = null;
    try {
      properties = propertyReader.apply(job.properties());
      String then = properties.get(Rule.THEN);
      if (then != null) {
        following = following(job, then);
        properties = forHandler(properties);
      }
    } catch (RuntimeException e) {
      unworkable = new ReadpastException("the job's properties cannot be read", e);
    }
    Attempt attempt =
        new Attempt(
            job,
            properties,
            handling.timeout(),
            Verdict.mostAttempts(job.maxAttempts(), handling.retries()),
            transactional,
            handling.onLostLease(),
            turn,
            this);
    if (following != null) {
      attempt.followers().add(following);
    }
    if (unworkable != null) {
      attempt.unworkable(unworkable);
    }
    return attempt;
  }

  /**
   * Records in the database that a handler is about to start, where the next heartbeat is too late:
   * of a job that may start once only, and of one that was leased by a node that died, whose next
   * death must not go unnoticed. That is a commit more for few jobs.
   *
   * @return false if the job is no longer this claim's
   */
  boolean recordStart(Attempt attempt) {
    return !(attempt.job().leasedAtDeath() || attempt.startsOnce()) || claims.begin(attempt.job());
  }

  /** Without the engine's own: a handler may give what it finds to the jobs that it enqueues. */
  private static Map<String, String> forHandler(Map<String, String> properties) {
    Map<String, String> shown = new TreeMap<>(properties);
    shown.remove(Rule.THEN);
    return Map.copyOf(shown);
  }

  /** A job on the same object; it holds the same unique key, which this one's end sets free. */
  private static NewJob following(ClaimedJob job, String type) {
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
  public Instrumentation.Work observe(ClaimedJob job, Map<String, String> properties) {
    return instrumentation.begin(job, properties);
  }

  @Override
  public boolean stillOwner(ClaimedJob job) {
    return transactions.single(() -> claims.owns(job));
  }

  @Override
  public @Nullable String lastFailure(ClaimedJob job) {
    return transactions.fresh(() -> Optional.ofNullable(nodes.lastFailure(job.id()))).orElse(null);
  }

  @Override
  public void progress(ClaimedJob job, long done, long total) {
    transactions.fresh(
        () -> {
          nodes.progress(job.id(), done, total);
          return true;
        });
  }

  @Override
  public void log(ClaimedJob job, String line) {
    String storable = line.replace('\0', '\uFFFD');
    String cut = storable.length() <= LONGEST_LINE ? storable : storable.substring(0, LONGEST_LINE);
    transactions.fresh(
        () -> {
          nodes.log(job.id(), job.attempt(), cut);
          return true;
        });
  }

  @Override
  public NewJob prepare(JobRequest request) {
    return preparation.apply(request);
  }

  @Override
  public String write(Object result) {
    return resultWriter.apply(result);
  }
}
