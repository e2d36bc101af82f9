package org.readpast.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it is received or browsed: its headers and its payload. */
public interface Job {
  /** The job's id. */
  long id();

  /** The queue that it is in, or was received from. */
  String queue();

  /** The name of its type. */
  String type();

  /** The version of its type, as {@link JobType#version()}. */
  int version();

  /** Where it stands: RUNNING when it was received. */
  JobState state();

  /** Deliveries so far, this one included (Jakarta Messaging's delivery count). */
  int attempt();

  /** 0 to 9. */
  int priority();

  /** When it was enqueued, by the database's clock. */
  Instant enqueuedAt();

  /**
   * The name of the caller who enqueued it, as the container had it; of a job that another job has
   * enqueued by {@link JobContext#enqueue}, that of the other's. Null: nobody was signed in.
   */
  @Nullable String enqueuedBy();

  /** Its unique key, if it has one. */
  @Nullable String uniqueKey();

  /** Its correlation id, if it has one. */
  @Nullable String correlationId();

  /** Its properties. */
  Map<String, String> properties();

  /** What its payload is; {@code application/json} unless something else was said. */
  String contentType();

  /**
   * Its payload.
   *
   * @param as {@code String.class} or {@code byte[].class} for the payload as it is, whatever its
   *     content type; any other class to read it from JSON, through its {@link Upcasts} methods if
   *     the job has an older version
   * @throws ReadpastException if it does not fit; if a job was received and its transaction is
   *     rolled back then, that counts as no attempt: the job waits for a node that can read it
   */
  <T> T payload(Class<T> as);
}
