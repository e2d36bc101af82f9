package org.readpast.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;

/**
 * A job about to be stored, checked against every rule. Headers as in {@link JobRequest}.
 *
 * @param properties a JSON object, or null
 * @param place where it stands among others
 * @param payload JSON; of another content type a JSON string, of text or of bytes in Base64
 * @param contentType null: JSON
 * @param enqueuedBy on whose behalf
 */
public record NewJob(
    String queue,
    String type,
    int priority,
    @Nullable Duration delay,
    @Nullable Instant at,
    @Nullable Duration expiresIn,
    @Nullable Instant expiresAt,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable String properties,
    @Nullable Integer maxAttempts,
    JobDependencies place,
    String payload,
    @Nullable String contentType,
    Principal enqueuedBy) {

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  public NewJob {
    Names.checkQueue(queue);
    Names.checkType(type);
    rule(priority >= 0 && priority <= 9, "priority", priority, "give 0 (last) to 9 (first)");
    span("delay", delay);
    span("expiresIn", expiresIn);
    moment("at", at);
    moment("expiresAt", expiresAt);
    rule(delay == null || at == null, "at", at, "leave it out, or delay, which is given too");
    rule(
        expiresIn == null || expiresAt == null,
        "expiresAt",
        expiresAt,
        "leave it out, or expiresIn, which is given too");
    text("uniqueKey", uniqueKey);
    text("correlationId", correlationId);
    rule(
        maxAttempts == null || maxAttempts == JobRequest.UNLIMITED || maxAttempts > 0,
        "maxAttempts",
        maxAttempts,
        "give 1 or more, or -1 for unlimited");
  }

  /** Of nobody yet. */
  public NewJob(
      String queue,
      String type,
      int priority,
      @Nullable Duration delay,
      @Nullable Instant at,
      @Nullable Duration expiresIn,
      @Nullable Instant expiresAt,
      @Nullable String uniqueKey,
      @Nullable String correlationId,
      @Nullable String properties,
      @Nullable Integer maxAttempts,
      JobDependencies place,
      String payload,
      @Nullable String contentType) {
    this(
        queue,
        type,
        priority,
        delay,
        at,
        expiresIn,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts,
        place,
        payload,
        contentType,
        Principal.NOBODY);
  }

  /** The length of the payload and the properties, the only fields that may be large. */
  public int characters() {
    return payload.length() + (properties == null ? 0 : properties.length());
  }

  /** Refuses what cannot be kept as the job of a batch's callback. */
  public void checkCallback() {
    if (!place.alone()) {
      throw new JobRejectedException(
          "a callback of a batch cannot wait for others; leave out group, batch and after");
    }
    if (delay != null
        || at != null
        || expiresIn != null
        || expiresAt != null
        || uniqueKey != null
        || contentType != null) {
      throw new JobRejectedException(
          "a callback of a batch is JSON, and comes once, when its event does; leave out delay, at,"
              + " expiresIn, expiresAt, uniqueKey and contentType, or have its handler enqueue"
              + " another job with them");
    }
  }

  /** The same on somebody's behalf. */
  public NewJob by(Principal principal) {
    return new NewJob(
        queue,
        type,
        priority,
        delay,
        at,
        expiresIn,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts,
        place,
        payload,
        contentType,
        principal);
  }

  /** A job that waits for no other, with a payload that is JSON. */
  public NewJob(
      String queue,
      String type,
      int priority,
      @Nullable Duration delay,
      @Nullable Instant at,
      @Nullable Duration expiresIn,
      @Nullable Instant expiresAt,
      @Nullable String uniqueKey,
      @Nullable String correlationId,
      @Nullable String properties,
      @Nullable Integer maxAttempts,
      String payload) {
    this(
        queue,
        type,
        priority,
        delay,
        at,
        expiresIn,
        expiresAt,
        uniqueKey,
        correlationId,
        properties,
        maxAttempts,
        JobDependencies.ALONE,
        payload,
        null);
  }

  /** The same with other properties. */
  public NewJob withProperties(String newProperties) {
    return new NewJob(
        queue,
        type,
        priority,
        delay,
        at,
        expiresIn,
        expiresAt,
        uniqueKey,
        correlationId,
        newProperties,
        maxAttempts,
        place,
        payload,
        contentType,
        enqueuedBy);
  }

  private static void span(String field, @Nullable Duration value) {
    rule(
        value == null || (!value.isNegative() && value.compareTo(LONGEST) <= 0),
        field,
        value,
        "give an ISO-8601 duration from PT0S to P36500D");
  }

  private static void moment(String field, @Nullable Instant value) {
    rule(
        value == null || (value.isAfter(Instant.EPOCH) && value.isBefore(LAST)),
        field,
        value,
        "give a moment between the years 1970 and 9999");
  }

  static void text(String field, @Nullable String value) {
    rule(
        value == null || (!value.isEmpty() && value.length() <= 255 && Names.storable(value)),
        field,
        value == null ? null : "'" + Names.excerpt(value) + "'",
        "give 1 to 255 characters without NUL or lone surrogates");
  }

  static void rule(boolean holds, String field, @Nullable Object value, String wayOut) {
    if (!holds) {
      throw new JobRejectedException(field + " is " + value + "; " + wayOut);
    }
  }
}
