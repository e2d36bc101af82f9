package org.readpast.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Represents a job that was received or browsed: its headers and its payload. */
public interface Job {
  /** Returns the job's id. */
  long id();

  /** Returns the queue that the job is in, or was received from. */
  String queue();

  /** Returns the name of the job type. */
  String type();

  /** Returns the version of the job type, as in {@link JobType#version()}. */
  int version();

  /** Returns the state of the job, which is RUNNING if the job was received. */
  JobState state();

  /**
   * Returns the number of deliveries so far, including this one (the delivery count of Jakarta
   * Messaging).
   */
  int attempt();

  /** Returns the priority, from 0 (lowest) to 9 (highest). */
  int priority();

  /** Returns when the job was enqueued, by the database's clock. */
  Instant enqueuedAt();

  /**
   * Returns the name of the caller that enqueued the job, as the container reported it; null if no
   * user was signed in. If another job enqueued this job with {@link JobContext#enqueue}, the name
   * is that of the caller that enqueued the other job.
   */
  @Nullable String enqueuedBy();

  /** Returns the unique key, or null if there is none. */
  @Nullable String uniqueKey();

  /** Returns the correlation id, or null if there is none. */
  @Nullable String correlationId();

  /** Returns the properties. */
  Map<String, String> properties();

  /**
   * Returns the content type of the payload; {@code application/json} unless the request set
   * another one.
   */
  String contentType();

  /**
   * Returns the payload.
   *
   * @param as {@code String.class} or {@code byte[].class} for the payload as it is, of any content
   *     type; any other class to convert it from JSON, through the {@link Upcasts} methods if the
   *     job has an older version
   * @throws ReadpastException if the payload cannot be converted to this class. If a received job
   *     is then rolled back with its transaction, no attempt is counted, and the job waits for a
   *     node that can read it
   */
  <T> T payload(Class<T> as);
}
