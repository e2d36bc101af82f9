package org.readpast.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;

/**
 * Represents a job that is about to be stored and has been checked against every rule. The headers
 * of the job are those of {@link JobRequest}.
 *
 * @param type the job type as a name or {@code name@version}; without a version, the job gets the
 *     version of the node that enqueues it
 * @param properties the properties as a JSON object, or null if there are none
 * @param dependencies how the job depends on other jobs
 * @param payload the payload as JSON; if it has another content type, a JSON string that contains
 *     the text, or the bytes in Base64
 * @param contentType the content type, or null for JSON
 * @param enqueuedBy the user on whose behalf the job is enqueued
 * @param debounce null to leave a live job with the same unique key unchanged
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
    JobDependencies dependencies,
    String payload,
    @Nullable String contentType,
    Principal enqueuedBy,
    @Nullable Debounce debounce) {

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  public NewJob {
    Names.checkQueue(queue);
    Names.checkVersionedType(type);
    rule(priority >= 0 && priority <= 9, "priority", priority, "specify 0 (last) to 9 (first)");
    span("delay", delay);
    span("expiresIn", expiresIn);
    moment("at", at);
    moment("expiresAt", expiresAt);
    rule(delay == null || at == null, "at", at, "delay is given as well; specify only one");
    rule(
        expiresIn == null || expiresAt == null,
        "expiresAt",
        expiresAt,
        "expiresIn is given as well; specify only one");
    if (Encryption.isPlaceholder(payload)) {
      throw new JobRejectedException(Encryption.PLACEHOLDER);
    }
    text("uniqueKey", uniqueKey);
    text("correlationId", correlationId);
    rule(
        maxAttempts == null || maxAttempts == JobRequest.UNLIMITED || maxAttempts > 0,
        "maxAttempts",
        maxAttempts,
        "specify 1 or more, or -1 for unlimited");
    if (debounce != null) {
      rule(
          uniqueKey != null,
          "uniqueKey",
          null,
          "replaceWaiting and postpone change the job that holds the unique key: specify one");
      if (dependencies.waitsFor() != null) {
        throw new JobRejectedException(
            "a job that replaces or postpones another job cannot wait for other jobs; leave out"
                + " group, batch and after, or replaceWaiting and postpone");
      }
    }
  }

  /** Creates a job that does not belong to a user yet. */
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
      JobDependencies dependencies,
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
        dependencies,
        payload,
        contentType,
        Principal.NOBODY,
        null);
  }

  /** Creates a job that waits for no other job and has a JSON payload. */
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

  /**
   * Returns the total length of the payload and the properties, which are the only fields that may
   * be large.
   */
  public int characters() {
    return payload.length() + (properties == null ? 0 : properties.length());
  }

  /** Returns true if the job would look like an encrypted one if it were stored unchanged. */
  public boolean looksEncrypted() {
    return Encryption.isSealed(payload) || Encryption.isSealed(properties);
  }

  /**
   * Returns this job with its payload and properties in their stored form.
   *
   * @param id the id that the job will have
   * @param key the id of the encryption key, or null to store them unencrypted
   */
  public NewJob sealed(Encryption encryption, long id, @Nullable String key) {
    return withTexts(
        encryption.sealJson(EncryptionContext.payload(id, type), payload, key),
        encryption.sealProperties(EncryptionContext.properties(id, type), properties, key));
  }

  /** Refuses a job that cannot be stored as the callback of a batch. */
  public void checkCallback() {
    if (!dependencies.alone()) {
      throw new JobRejectedException(
          "a callback of a batch cannot wait for other jobs; leave out group, batch and after");
    }
    if (delay != null
        || at != null
        || expiresIn != null
        || expiresAt != null
        || uniqueKey != null
        || contentType != null) {
      throw new JobRejectedException(
          "a callback of a batch is JSON and is enqueued once, when its event occurs; leave out"
              + " delay, at, expiresIn, expiresAt, uniqueKey and contentType, or have its"
              + " handler enqueue another job with them");
    }
  }

  /** Returns a copy of this job that is enqueued on behalf of a user. */
  public NewJob by(Principal principal) {
    return copy(type, delay, properties, dependencies, payload, principal, debounce);
  }

  /** Returns a copy of this job with another type or version. */
  public NewJob ofType(String newType) {
    return copy(newType, delay, properties, dependencies, payload, enqueuedBy, debounce);
  }

  /** Returns a copy of this job with other properties. */
  public NewJob withProperties(String newProperties) {
    return withTexts(payload, newProperties);
  }

  /** Returns a copy of this job with another payload and other properties. */
  public NewJob withTexts(String newPayload, @Nullable String newProperties) {
    return copy(type, delay, newProperties, dependencies, newPayload, enqueuedBy, debounce);
  }

  /** Returns a copy of this job with other dependencies. */
  public NewJob at(JobDependencies where) {
    return copy(type, delay, properties, where, payload, enqueuedBy, null);
  }

  /**
   * Returns a copy of this job that replaces or postpones a waiting job with the same unique key.
   */
  public NewJob with(@Nullable Debounce what) {
    if (what == null) {
      return this;
    }
    boolean postpones = what.pause() != null;
    if (postpones && (delay != null || at != null)) {
      throw new JobRejectedException(
          "postpone determines when the job becomes due, the first time as well; leave out"
              + " delay and at");
    }
    return copy(
        type,
        postpones ? what.pause() : delay,
        properties,
        dependencies,
        payload,
        enqueuedBy,
        what);
  }

  private NewJob copy(
      String newType,
      @Nullable Duration newDelay,
      @Nullable String newProperties,
      JobDependencies newDependencies,
      String newPayload,
      Principal newEnqueuer,
      @Nullable Debounce newDebounce) {
    return new NewJob(
        queue,
        newType,
        priority,
        newDelay,
        at,
        expiresIn,
        expiresAt,
        uniqueKey,
        correlationId,
        newProperties,
        maxAttempts,
        newDependencies,
        newPayload,
        contentType,
        newEnqueuer,
        newDebounce);
  }

  /** Refuses a string that is not a valid unique key. */
  public static void checkUniqueKey(String key) {
    rule(key != null, "uniqueKey", null, "specify the key of a job");
    text("uniqueKey", key);
  }

  /** Refuses an invalid range for a page of jobs with a correlation id. */
  public static void checkPage(String correlationId, int limit) {
    rule(correlationId != null, "correlationId", null, "specify the correlation id of a job");
    text("correlationId", correlationId);
    rule(limit >= 1 && limit <= 1_000, "limit", limit, "specify 1 to 1000");
  }

  /** Refuses a time that the database cannot store. */
  public static void checkMoment(String field, Instant value) {
    rule(value != null, field, null, "specify a time");
    moment(field, value);
  }

  static void span(String field, @Nullable Duration value) {
    rule(
        value == null || (!value.isNegative() && value.compareTo(LONGEST) <= 0),
        field,
        value,
        "specify an ISO-8601 duration from PT0S to P36500D");
  }

  private static void moment(String field, @Nullable Instant value) {
    rule(
        value == null || (value.isAfter(Instant.EPOCH) && value.isBefore(LAST)),
        field,
        value,
        "specify a time in the years 1970 to 9999");
  }

  static void text(String field, @Nullable String value) {
    rule(
        value == null || (!value.isEmpty() && value.length() <= 255 && Names.storable(value)),
        field,
        value == null ? null : "'" + Names.excerpt(value) + "'",
        "specify 1 to 255 characters without NUL or lone surrogates");
  }

  static void rule(boolean holds, String field, @Nullable Object value, String wayOut) {
    if (!holds) {
      throw new JobRejectedException(field + " is " + value + "; " + wayOut);
    }
  }
}
