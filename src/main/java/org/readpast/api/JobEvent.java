package org.readpast.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job has ended, and that is committed. The event is fired for the CDI observers of the
 * application whose engine has ended the job: by working it, by taking it over from a dead node, by
 * finding that it has expired, or by carrying out a cancellation. For all jobs of a type that is
 * the application with its handler only as long as no other engine ends them: the WAR may do so
 * too, and other applications on the same database.
 *
 * <p>Each event is fired at most once. The events of a node that dies before it has fired them are
 * lost, and events that arrive faster than observers take them are dropped beyond 10,000. For what
 * must happen, enqueue a job ({@link JobContext#enqueue}, {@link Batch#onDiscard}), or read the
 * history. No event is fired for an attempt that fails and is to be retried, nor for an end that is
 * rolled back.
 *
 * <p>Observers are called one after the other on a thread of their own, in a request scope and
 * without a transaction, so they hold up no worker. {@link InState} chooses among the events.
 * {@code @Observes(during = AFTER_SUCCESS)} and {@code @ObservesAsync} are supported; {@code
 * BEFORE_COMPLETION} and {@code AFTER_FAILURE} make no sense after a commit and stop the
 * deployment.
 *
 * <p>Readpast alone implements this interface; later versions may add methods.
 */
public interface JobEvent {
  /** The job's id. */
  long id();

  /** Its queue. */
  String queue();

  /** Its type. */
  String type();

  /** The state in which it has ended. */
  JobState state();

  /** The number of its last attempt; 0: it was never claimed. */
  int attempt();

  /** Its unique key; null: it had none. */
  @Nullable String uniqueKey();

  /** Its correlation id; null: it had none. */
  @Nullable String correlationId();

  /** The name of the caller that enqueued it; null: the caller was not signed in. */
  @Nullable String enqueuedBy();

  /** The failure of its last attempt, if it was DISCARDED or CANCELLED by that; else null. */
  @Nullable String failure();

  /** Its group; null: it was in none. */
  @Nullable String group();

  /**
   * The name of its batch; null: it was in none, or the database was unavailable when the name was
   * looked up.
   */
  @Nullable String batch();

  /** Its properties. */
  Map<String, String> properties();
}
