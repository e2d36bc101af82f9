package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job to be enqueued: a payload and its headers. Immutable; each method returns a changed copy.
 *
 * <pre>{@code
 * jobs.enqueue(JobRequest.of(new SendInvoice(42)).queue("mail").delay(Duration.ofMinutes(5)).priority(7));
 * }</pre>
 *
 * @param payload an object whose class bears {@link JobType}
 * @param queue the queue's name; null: the queue of the job type
 * @param priority 0 (last) to 9 (first); 4 by default, as in Jakarta Messaging
 * @param delay time between the enqueue and the first attempt, by the database's clock; null: none
 * @param at the moment before which the job does not start; null: at once
 * @param timeToLive time after which a job that nobody has started ends as EXPIRED; null: never
 * @param expiresAt the same as a moment; null: never
 * @param uniqueKey at most one live job holds this key; null: none
 * @param correlationId free text, up to 255 characters, carried with the job
 * @param properties free key-value pairs carried with the job
 * @param maxAttempts how often the job is tried; {@link #UNLIMITED}; null: what the job type says
 */
public record JobRequest(
    Object payload,
    @Nullable String queue,
    int priority,
    @Nullable Duration delay,
    @Nullable Instant at,
    @Nullable Duration timeToLive,
    @Nullable Instant expiresAt,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    Map<String, String> properties,
    @Nullable Integer maxAttempts) {

  /** As {@code maxAttempts}: tried until it succeeds. */
  public static final int UNLIMITED = -1;

  /** The priority of a job that asks for none. */
  public static final int DEFAULT_PRIORITY = 4;

  public JobRequest {
    if (payload == null) {
      throw new JobRejectedException(
          "a job needs a payload; pass a record whose class bears @JobType");
    }
    properties = Map.copyOf(properties);
  }

  /** A request with every header at its default. */
  public static JobRequest of(Object payload) {
    return new JobRequest(
        payload, null, DEFAULT_PRIORITY, null, null, null, null, null, null, Map.of(), null);
  }

  /** Goes to this queue: up to 64 letters, digits and {@code . _ -}. */
  public JobRequest queue(String name) {
    return new JobRequest(
        payload,
        name,
        priority,
        delay,
        at,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /** 0 (last) to 9 (first). */
  public JobRequest priority(int value) {
    return new JobRequest(
        payload,
        queue,
        value,
        delay,
        at,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /**
   * Starts no earlier than this long after the enqueue; takes the place of {@link #at(Instant)}.
   */
  public JobRequest delay(Duration value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        value,
        null,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /** Starts no earlier than this moment; takes the place of {@link #delay(Duration)}. */
  public JobRequest at(Instant value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        null,
        value,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /** Ends as EXPIRED if nobody has started it this long after the enqueue. */
  public JobRequest expiresIn(Duration value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        value,
        null,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /** Ends as EXPIRED if nobody has started it at this moment. */
  public JobRequest expiresAt(Instant value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        null,
        value,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts);
  }

  /** At most one live job holds this key, over all queues: up to 255 characters. */
  public JobRequest uniqueKey(String value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        timeToLive,
        expiresAt,
        value,
        correlationId,
        properties,
        maxAttempts);
  }

  /** Free text that ties this job to something else. */
  public JobRequest correlationId(String value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        timeToLive,
        expiresAt,
        uniqueKey,
        value,
        properties,
        maxAttempts);
  }

  /** Adds one property. */
  public JobRequest property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        more,
        maxAttempts);
  }

  /** Tried this often, or {@link #UNLIMITED}. */
  public JobRequest maxAttempts(int value) {
    return new JobRequest(
        payload,
        queue,
        priority,
        delay,
        at,
        timeToLive,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        value);
  }
}
