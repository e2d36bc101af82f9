package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes a job to enqueue: a payload and its headers. A request is immutable; each method that
 * sets a value returns a changed copy.
 *
 * <pre>{@code
 * jobs.enqueue(JobRequest.of(new SendInvoice(42)).queue("mail").delay(Duration.ofMinutes(5)).priority(7));
 * }</pre>
 */
public final class JobRequest {

  /** Specifies, as {@code maxAttempts}, that a job is retried until it succeeds. */
  public static final int UNLIMITED = -1;

  /** Specifies the priority of jobs whose request does not set one. */
  public static final int DEFAULT_PRIORITY = 4;

  private final Object payload;
  private final @Nullable String type;
  private final @Nullable String contentType;
  private @Nullable String queue;
  private int priority = DEFAULT_PRIORITY;
  private @Nullable Duration delay;
  private @Nullable Instant at;
  private @Nullable Duration expiresIn;
  private @Nullable Instant expiresAt;
  private @Nullable String uniqueKey;
  private boolean replacesWaiting;
  private @Nullable Duration postponedBy;
  private @Nullable Duration latestStart;
  private @Nullable String correlationId;
  private Map<String, String> properties = Map.of();
  private @Nullable Integer maxAttempts;
  private @Nullable String group;
  private GroupFailure groupFailure = GroupFailure.SKIP;
  private @Nullable String batch;
  private int wave;
  private @Nullable String ref;
  private List<Long> after = List.of();
  private List<String> afterRefs = List.of();
  private PredecessorFailure predecessorFailure = PredecessorFailure.HOLD;

  private JobRequest(Object payload, @Nullable String type, @Nullable String contentType) {
    this.payload = payload;
    this.type = type;
    this.contentType = contentType;
  }

  /**
   * Returns a request with default values for all headers.
   *
   * @param payload an object whose class is annotated with {@link JobType}; a {@code JobRequest} is
   *     returned unchanged
   * @throws JobRejectedException if the payload is null
   */
  public static JobRequest of(Object payload) {
    if (payload instanceof JobRequest request) {
      return request;
    }
    if (payload == null) {
      throw new JobRejectedException(
          "a job needs a payload; pass a record whose class has @JobType");
    }
    return new JobRequest(payload, null, null);
  }

  /**
   * Returns a request whose payload is bytes of any content type. The version is chosen as in
   * {@link #of(String, String, String)}.
   *
   * <pre>{@code
   * jobs.enqueue(JobRequest.of("image.scale", "image/png", bytes).queue("images"));
   * }</pre>
   *
   * @param type the name of the job type
   * @param contentType a media type, such as {@code image/png}
   * @throws JobRejectedException if an argument is null
   */
  public static JobRequest of(String type, String contentType, byte[] payload) {
    return ofContent(type, contentType, payload == null ? null : payload.clone());
  }

  /**
   * Returns a request whose payload is a string of any content type, JSON included. The {@linkplain
   * JobType#version version} of the payload is the one that this application handles, or 1 if it
   * does not handle the type. To enqueue another version, pass an object whose class has a {@link
   * JobType} with that version. For example, a producer that is older than the consumer enqueues
   * the class that it was built with, and the consumer upcasts the payload.
   *
   * @param type the name of the job type
   * @param contentType a media type, such as {@code text/csv} or {@code application/json}
   * @throws JobRejectedException if an argument is null
   */
  public static JobRequest of(String type, String contentType, String payload) {
    return ofContent(type, contentType, payload);
  }

  private static JobRequest ofContent(String type, String contentType, @Nullable Object payload) {
    if (type == null || contentType == null || payload == null) {
      throw new JobRejectedException(
          "a job that is not JSON needs a type, a content type and a payload, but type is "
              + type
              + ", contentType is "
              + contentType
              + (payload == null ? ", payload is null" : ""));
    }
    return new JobRequest(payload, type, contentType);
  }

  /**
   * Returns a changed copy of this request. The change is made before other code can see the copy.
   */
  private JobRequest with(Consumer<JobRequest> change) {
    JobRequest copy = new JobRequest(payload, type, contentType);
    copy.queue = queue;
    copy.priority = priority;
    copy.delay = delay;
    copy.at = at;
    copy.expiresIn = expiresIn;
    copy.expiresAt = expiresAt;
    copy.uniqueKey = uniqueKey;
    copy.replacesWaiting = replacesWaiting;
    copy.postponedBy = postponedBy;
    copy.latestStart = latestStart;
    copy.correlationId = correlationId;
    copy.properties = properties;
    copy.maxAttempts = maxAttempts;
    copy.group = group;
    copy.groupFailure = groupFailure;
    copy.batch = batch;
    copy.wave = wave;
    copy.ref = ref;
    copy.after = after;
    copy.afterRefs = afterRefs;
    copy.predecessorFailure = predecessorFailure;
    change.accept(copy);
    return copy;
  }

  /** Sets the name of the queue: up to 64 letters, digits and {@code . _ -}. */
  public JobRequest queue(String name) {
    return with(copy -> copy.queue = name);
  }

  /** Sets the priority, from 0 (lowest) to 9 (highest); 4 by default, as in Jakarta Messaging. */
  public JobRequest priority(int value) {
    return with(copy -> copy.priority = value);
  }

  /**
   * Delays the job: it does not start until this time has passed since the enqueue, by the
   * database's clock. Replaces {@link #at(Instant)} and {@link #postpone}.
   */
  public JobRequest delay(Duration value) {
    return with(
        copy -> {
          copy.delay = value;
          copy.at = null;
          copy.postponedBy = null;
          copy.latestStart = null;
        });
  }

  /**
   * Sets the earliest start of the job. Replaces {@link #delay(Duration)} and {@link #postpone}.
   */
  public JobRequest at(Instant value) {
    return with(
        copy -> {
          copy.at = value;
          copy.delay = null;
          copy.postponedBy = null;
          copy.latestStart = null;
        });
  }

  /**
   * Sets the expiry: the job ends as EXPIRED if it has not started within this time after the
   * enqueue.
   */
  public JobRequest expiresIn(Duration value) {
    return with(
        copy -> {
          copy.expiresIn = value;
          copy.expiresAt = null;
        });
  }

  /** Sets the expiry: the job ends as EXPIRED if it has not started by this time. */
  public JobRequest expiresAt(Instant value) {
    return with(
        copy -> {
          copy.expiresAt = value;
          copy.expiresIn = null;
        });
  }

  /** Sets the unique key, up to 255 characters. At most one live job in all queues has the key. */
  public JobRequest uniqueKey(String value) {
    return with(copy -> copy.uniqueKey = value);
  }

  /**
   * Replaces a waiting job instead of enqueueing another one. If a SCHEDULED or AVAILABLE job of
   * the same queue and type has the {@link #uniqueKey} of this request, that job takes over the
   * payload, content type, properties, priority, correlation id, maximum number of attempts, expiry
   * and caller's name of this request. The job keeps its id and its position among other jobs. The
   * job also keeps its due time, unless the request {@linkplain #postpone postpones} it.
   *
   * <p>If the job was replaced, {@link Enqueued#isUpdated()} returns true. If the job with the key
   * is RUNNING or BLOCKED, or has another queue or type, it stays unchanged and nothing is
   * enqueued.
   */
  public JobRequest replaceWaiting() {
    return with(copy -> copy.replacesWaiting = true);
  }

  /**
   * Postpones the job until no further request with its {@link #uniqueKey} has arrived for the
   * given time. The first request enqueues a job that is due after {@code wait}. Each further
   * request postpones that job until {@code wait} after the request, but never beyond {@code
   * latest} after the first enqueue. {@link #replaceWaiting} describes which jobs are changed; if a
   * job is waiting for a retry, its pause stays unchanged. Replaces {@link #delay} and {@link #at}.
   *
   * <pre>{@code
   * // Runs after five seconds without a further request, or after one minute at most:
   * jobs.enqueue(JobRequest.of(new Reindex(product)).uniqueKey("reindex-" + product.id())
   *     .replaceWaiting().postpone(Duration.ofSeconds(5), Duration.ofMinutes(1)));
   * }</pre>
   *
   * @param wait how long to wait for further requests, from PT0S
   * @param latest the longest time after the first enqueue, from {@code wait} to P36500D
   */
  public JobRequest postpone(Duration wait, Duration latest) {
    return with(
        copy -> {
          copy.postponedBy = wait;
          copy.latestStart = latest;
          copy.delay = null;
          copy.at = null;
        });
  }

  /**
   * Sets the correlation id: a string of up to 255 characters that connects this job with something
   * else.
   */
  public JobRequest correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /**
   * Adds a property with a string as its value. The name {@code readpast.then} is reserved for the
   * engine. A request that sets it is rejected when it is enqueued. So is a request with an empty
   * name, a name of more than 255 characters, a name or value that contains NUL or a lone
   * surrogate, or properties that have more than 16,384 characters as JSON.
   */
  public JobRequest property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return with(copy -> copy.properties = Map.copyOf(more));
  }

  /** Sets the maximum number of attempts: 1 or more, or {@link #UNLIMITED}. */
  public JobRequest maxAttempts(int value) {
    return with(copy -> copy.maxAttempts = value);
  }

  /**
   * Adds the job to a group of its queue (JMSXGroupID). The jobs of a group run one at a time, in
   * the order in which they were enqueued, regardless of their priority. A delayed job, or one that
   * is being retried, holds back the later jobs of its group. A queue can have any number of
   * groups.
   *
   * @param key the key of the group, up to 255 characters
   */
  public JobRequest group(String key) {
    return with(copy -> copy.group = key);
  }

  /**
   * Adds the job to a group as {@link #group(String)} does, and specifies what happens to the group
   * if this job is discarded.
   */
  public JobRequest group(String key, GroupFailure failure) {
    return with(
        copy -> {
          copy.group = key;
          copy.groupFailure = failure;
        });
  }

  /**
   * Adds the job to a wave of a batch; see {@link JobQueue#batch(String)}.
   *
   * @param number the number of the wave, from 0; a job starts once every job of all lower waves
   *     has ended
   */
  public JobRequest batch(String name, int number) {
    return with(
        copy -> {
          copy.batch = name;
          copy.wave = number;
        });
  }

  /**
   * Sets a name by which other jobs of the same {@link JobQueue#enqueueAll} call can refer to this
   * job in {@link #after(String...)}.
   */
  public JobRequest ref(String name) {
    return with(copy -> copy.ref = name);
  }

  /**
   * Adds predecessors: the job starts only after all predecessors have succeeded.
   *
   * @param ids the ids of existing jobs; a job that is no longer stored counts as succeeded
   */
  public JobRequest after(long... ids) {
    return with(
        copy -> copy.after = Stream.concat(after.stream(), LongStream.of(ids).boxed()).toList());
  }

  /**
   * Adds predecessors from the same {@link JobQueue#enqueueAll} call: the job starts only after all
   * predecessors have succeeded.
   *
   * @param refs the names of the predecessors, which were set by {@link #ref(String)}
   */
  public JobRequest after(String... refs) {
    return with(
        copy -> copy.afterRefs = Stream.concat(afterRefs.stream(), Stream.of(refs)).toList());
  }

  /** Specifies what happens to this job if a predecessor fails; HOLD by default. */
  public JobRequest predecessorFailure(PredecessorFailure failure) {
    return with(copy -> copy.predecessorFailure = failure);
  }

  /**
   * Returns the payload: an object whose class is annotated with {@link JobType}, or a {@code
   * byte[]} or {@code String} if the request names its job type.
   */
  public Object payload() {
    return payload;
  }

  /** Returns the name of the job type; null if the payload's class specifies it. */
  public @Nullable String type() {
    return type;
  }

  /** Returns the content type; null if the payload is written as JSON. */
  public @Nullable String contentType() {
    return contentType;
  }

  /** Returns the queue; null for the queue of the job type. */
  public @Nullable String queue() {
    return queue;
  }

  public int priority() {
    return priority;
  }

  /** Returns the delay; null if there is none. */
  public @Nullable Duration delay() {
    return delay;
  }

  /** Returns the earliest start; null to start immediately or after the {@link #delay()}. */
  public @Nullable Instant at() {
    return at;
  }

  /**
   * Returns the time after the enqueue at which the job expires; null if it does not expire, or if
   * {@link #expiresAt()} is set.
   */
  public @Nullable Duration expiresIn() {
    return expiresIn;
  }

  /**
   * Returns the time at which the job expires; null if it does not expire, or if {@link
   * #expiresIn()} is set.
   */
  public @Nullable Instant expiresAt() {
    return expiresAt;
  }

  /** Returns the unique key, or null if there is none. */
  public @Nullable String uniqueKey() {
    return uniqueKey;
  }

  /** Returns true if the request replaces a waiting job that has the same unique key. */
  public boolean replacesWaiting() {
    return replacesWaiting;
  }

  /**
   * Returns the time by which the request postpones a waiting job that has the same unique key;
   * null if it does not postpone the job.
   */
  public @Nullable Duration postponedBy() {
    return postponedBy;
  }

  /**
   * Returns the longest time from the first enqueue to the due time of the job; null if the request
   * does not postpone it.
   */
  public @Nullable Duration latestStart() {
    return latestStart;
  }

  /** Returns the correlation id, or null if there is none. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  public Map<String, String> properties() {
    return properties;
  }

  /** Returns the maximum number of attempts; null if the job type specifies it. */
  public @Nullable Integer maxAttempts() {
    return maxAttempts;
  }

  /** Returns the key of the group; null if the job is in none. */
  public @Nullable String group() {
    return group;
  }

  public GroupFailure groupFailure() {
    return groupFailure;
  }

  /** Returns the name of the batch; null if the job is in none. */
  public @Nullable String batch() {
    return batch;
  }

  /** Returns the number of the wave in the batch; 0 without a batch. */
  public int wave() {
    return wave;
  }

  /**
   * Returns the name by which other jobs of the same call refer to this job; null if there is none.
   */
  public @Nullable String ref() {
    return ref;
  }

  /** Returns the ids of the predecessors. */
  public List<Long> after() {
    return after;
  }

  /** Returns the names of the predecessors from the same {@link JobQueue#enqueueAll} call. */
  public List<String> afterRefs() {
    return afterRefs;
  }

  public PredecessorFailure predecessorFailure() {
    return predecessorFailure;
  }

  /** Returns the job type and the headers that are set, but not the payload. */
  @Override
  public String toString() {
    Map<String, Object> set = new LinkedHashMap<>();
    set.put("type", type == null ? payload.getClass().getName() : type);
    putUnless(null, set, "contentType", contentType);
    putUnless(null, set, "queue", queue);
    putUnless(DEFAULT_PRIORITY, set, "priority", priority);
    putUnless(null, set, "delay", delay);
    putUnless(null, set, "at", at);
    putUnless(null, set, "expiresIn", expiresIn);
    putUnless(null, set, "expiresAt", expiresAt);
    putUnless(null, set, "uniqueKey", uniqueKey);
    putUnless(false, set, "replaceWaiting", replacesWaiting);
    putUnless(null, set, "postpone", postponedBy);
    putUnless(null, set, "latestStart", latestStart);
    putUnless(null, set, "correlationId", correlationId);
    putUnless(Map.of(), set, "properties", properties);
    putUnless(null, set, "maxAttempts", maxAttempts);
    putUnless(null, set, "group", group);
    putUnless(GroupFailure.SKIP, set, "groupFailure", groupFailure);
    if (batch != null) {
      set.put("batch", batch);
      set.put("wave", wave);
    }
    putUnless(null, set, "ref", ref);
    putUnless(List.of(), set, "after", after);
    putUnless(List.of(), set, "afterRefs", afterRefs);
    putUnless(PredecessorFailure.HOLD, set, "predecessorFailure", predecessorFailure);
    return "JobRequest" + set;
  }

  private static void putUnless(
      @Nullable Object usual, Map<String, Object> set, String name, @Nullable Object value) {
    if (value != null && !value.equals(usual)) {
      set.put(name, value);
    }
  }
}
