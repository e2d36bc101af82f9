package org.readpast.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Represents a job as it was received or browsed: its headers and its payload. */
public interface Job {
  /** Returns the job's id. */
  long id();

  /** Returns the queue that the job is in, or was received from. */
  String queue();

  /** Returns the name of the job type. */
  String type();

  /** Returns the version of the job type, as {@link JobType#version()}. */
  int version();

  /** Returns the state of the job; RUNNING if it was received. */
  JobState state();

  /**
   * Returns the number of deliveries so far, including this one (Jakarta Messaging's delivery
   * count).
   */
  int attempt();

  /** Returns the priority, 0 (last) to 9 (first). */
  int priority();

  /** Returns when the job was enqueued, by the database's clock. */
  Instant enqueuedAt();

  /**
   * Returns the name of the caller that enqueued the job, as the container reported it. If another
   * job enqueued it with {@link JobContext#enqueue}, this is the name of the caller that enqueued
   * that other job. Null if the caller was not signed in.
   */
  @Nullable String enqueuedBy();

  /** Returns the unique key; null if there is none. */
  @Nullable String uniqueKey();

  /** Returns the correlation id; null if there is none. */
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
   * @param as {@code String.class} or {@code byte[].class} for the payload as it is, whatever its
   *     content type; any other class to read it from JSON, through the {@link Upcasts} methods if
   *     the job has an older version
   * @throws ReadpastException if the payload cannot be read as this class. If a received job then
   *     rolls back with its transaction, no attempt is counted: the job waits for a node that can
   *     read it
   */
  <T> T payload(Class<T> as);
}
