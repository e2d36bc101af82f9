package org.readpast.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a job has ended and that its end is committed. The event is fired for the CDI
 * observers of the application whose engine ended the job: by running it, by taking it over from a
 * dead node, by finding that it has expired, or by carrying out a cancellation. The application
 * that has the handler therefore observes the end of every job of a type only as long as no other
 * engine ends jobs of this type. Other engines on the same database, such as that of the WAR, may
 * end jobs of the type.
 *
 * <p>Each event is fired at most once. If a node dies before it has fired its events, they are
 * lost. If jobs end faster than observers handle the events, events beyond 10,000 pending ones are
 * dropped. If an action must happen, enqueue a job for it ({@link JobContext#enqueue}, {@link
 * Batch#onDiscard}) or read the history. No event is fired for an attempt that fails and will be
 * retried, or for an end that is rolled back.
 *
 * <p>Observers are called one after the other on a dedicated thread, in a request scope and without
 * a transaction, so they do not block workers. The qualifier {@link InState} selects events by the
 * final state. {@code @Observes(during = AFTER_SUCCESS)} and {@code @ObservesAsync} are supported;
 * {@code BEFORE_COMPLETION} and {@code AFTER_FAILURE} make no sense after a commit and stop the
 * deployment.
 *
 * <p>Only Readpast implements this interface; later versions may add methods.
 */
public interface JobEvent {
  /** Returns the job's id. */
  long id();

  /** Returns the job's queue. */
  String queue();

  /** Returns the name of the job type. */
  String type();

  /** Returns the state in which the job ended. */
  JobState state();

  /** Returns the number of the last attempt, or 0 if the job was never claimed. */
  int attempt();

  /** Returns the unique key, or null if the job had none. */
  @Nullable String uniqueKey();

  /** Returns the correlation id, or null if the job had none. */
  @Nullable String correlationId();

  /** Returns the name of the caller that enqueued the job, or null if no user was signed in. */
  @Nullable String enqueuedBy();

  /**
   * Returns the failure of the last attempt if it made the job DISCARDED or CANCELLED, otherwise
   * null.
   */
  @Nullable String failure();

  /** Returns the job's group, or null if it was in none. */
  @Nullable String group();

  /**
   * Returns the name of the job's batch, or null if it was in none or if the database was
   * unavailable.
   */
  @Nullable String batch();

  /** Returns the job's properties. */
  Map<String, String> properties();
}
