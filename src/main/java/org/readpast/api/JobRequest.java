package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A job to be enqueued: a payload and its headers. Immutable; each method that takes a value
 * returns a changed copy.
 *
 * <pre>{@code
 * jobs.enqueue(JobRequest.of(new SendInvoice(42)).queue("mail").delay(Duration.ofMinutes(5)).priority(7));
 * }</pre>
 */
public final class JobRequest {

  /** As {@code maxAttempts}: tried until it succeeds. */
  public static final int UNLIMITED = -1;

  /** The priority of a job that asks for none. */
  public static final int DEFAULT_PRIORITY = 4;

  private final Object payload;
  private @Nullable String queue;
  private int priority = DEFAULT_PRIORITY;
  private @Nullable Duration delay;
  private @Nullable Instant at;
  private @Nullable Duration timeToLive;
  private @Nullable Instant expiresAt;
  private @Nullable String uniqueKey;
  private @Nullable String correlationId;
  private Map<String, String> properties = Map.of();
  private @Nullable Integer maxAttempts;

  private JobRequest(Object payload) {
    this.payload = payload;
  }

  /**
   * A request with every header at its default.
   *
   * @param payload an object whose class bears {@link JobType}
   */
  public static JobRequest of(Object payload) {
    if (payload == null) {
      throw new JobRejectedException(
          "a job needs a payload; pass a record whose class bears @JobType");
    }
    return new JobRequest(payload);
  }

  /** A changed copy; the change is made before anybody else sees it. */
  private JobRequest with(Consumer<JobRequest> change) {
    JobRequest copy = new JobRequest(payload);
    copy.queue = queue;
    copy.priority = priority;
    copy.delay = delay;
    copy.at = at;
    copy.timeToLive = timeToLive;
    copy.expiresAt = expiresAt;
    copy.uniqueKey = uniqueKey;
    copy.correlationId = correlationId;
    copy.properties = properties;
    copy.maxAttempts = maxAttempts;
    change.accept(copy);
    return copy;
  }

  /** Goes to this queue: up to 64 letters, digits and {@code . _ -}. */
  public JobRequest queue(String name) {
    return with(copy -> copy.queue = name);
  }

  /** 0 (last) to 9 (first); 4 by default, as in Jakarta Messaging. */
  public JobRequest priority(int value) {
    return with(copy -> copy.priority = value);
  }

  /**
   * Starts no earlier than this long after the enqueue, by the database's clock; takes the place of
   * {@link #at(Instant)}.
   */
  public JobRequest delay(Duration value) {
    return with(
        copy -> {
          copy.delay = value;
          copy.at = null;
        });
  }

  /** Starts no earlier than this moment; takes the place of {@link #delay(Duration)}. */
  public JobRequest at(Instant value) {
    return with(
        copy -> {
          copy.at = value;
          copy.delay = null;
        });
  }

  /** Ends as EXPIRED if nobody has started it this long after the enqueue. */
  public JobRequest expiresIn(Duration value) {
    return with(
        copy -> {
          copy.timeToLive = value;
          copy.expiresAt = null;
        });
  }

  /** Ends as EXPIRED if nobody has started it at this moment. */
  public JobRequest expiresAt(Instant value) {
    return with(
        copy -> {
          copy.expiresAt = value;
          copy.timeToLive = null;
        });
  }

  /** At most one live job holds this key, over all queues: up to 255 characters. */
  public JobRequest uniqueKey(String value) {
    return with(copy -> copy.uniqueKey = value);
  }

  /** Free text of up to 255 characters that ties this job to something else. */
  public JobRequest correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /** Adds one property. */
  public JobRequest property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return with(copy -> copy.properties = Map.copyOf(more));
  }

  /** Tried this often, or {@link #UNLIMITED}. */
  public JobRequest maxAttempts(int value) {
    return with(copy -> copy.maxAttempts = value);
  }

  public Object payload() {
    return payload;
  }

  /** Null: the queue of the job type. */
  public @Nullable String queue() {
    return queue;
  }

  public int priority() {
    return priority;
  }

  /** Null: none. */
  public @Nullable Duration delay() {
    return delay;
  }

  /** Null: at once. */
  public @Nullable Instant at() {
    return at;
  }

  /** Null: it does not expire, or at a moment. */
  public @Nullable Duration timeToLive() {
    return timeToLive;
  }

  /** Null: it does not expire, or after a time. */
  public @Nullable Instant expiresAt() {
    return expiresAt;
  }

  /** Null: none. */
  public @Nullable String uniqueKey() {
    return uniqueKey;
  }

  /** Null: none. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  public Map<String, String> properties() {
    return properties;
  }

  /** Null: as often as the job type says. */
  public @Nullable Integer maxAttempts() {
    return maxAttempts;
  }
}
