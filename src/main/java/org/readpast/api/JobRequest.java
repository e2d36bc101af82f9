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
   * Returns a request with every header at its default.
   *
   * @param payload an object whose class has {@link JobType}; a {@code JobRequest} is returned as
   *     it is
   */
  public static JobRequest of(Object payload) {
    if (payload instanceof JobRequest request) {
      return request;
    }
    if (payload == null) {
      throw new JobRejectedException(
          "a job needs a payload; pass a record whose class bears @JobType");
    }
    return new JobRequest(payload, null, null);
  }

  /**
   * A request whose payload is bytes of any kind, in the version that {@link #of(String, String,
   * String)} chooses.
   *
   * <pre>{@code
   * jobs.enqueue(JobRequest.of("image.scale", "image/png", bytes).queue("images"));
   * }</pre>
   *
   * @param type the name of the job type
   * @param contentType such as {@code image/png}
   */
  public static JobRequest of(String type, String contentType, byte[] payload) {
    return ofContent(type, contentType, payload == null ? null : payload.clone());
  }

  /**
   * A request whose payload is a text of any kind, JSON included. The {@linkplain JobType#version
   * version} of the payload is the one that this application handles, or the first if it does not
   * handle the type. An application states another version by enqueuing an object of a class whose
   * {@link JobType} has that version: a producer that is older than the consumer enqueues the class
   * that it was built with, and the consumer upcasts.
   *
   * @param type the name of the job type
   * @param contentType such as {@code text/csv} or {@code application/json}
   */
  public static JobRequest of(String type, String contentType, String payload) {
    return ofContent(type, contentType, payload);
  }

  private static JobRequest ofContent(String type, String contentType, @Nullable Object payload) {
    if (type == null || contentType == null || payload == null) {
      throw new JobRejectedException(
          "a job of a content type needs a type, a content type and a payload; type is "
              + type
              + ", contentType is "
              + contentType
              + (payload == null ? ", payload is null" : ""));
    }
    return new JobRequest(payload, type, contentType);
  }

  /** A changed copy; the change is made before anybody else sees it. */
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
   * {@link #at(Instant)} and {@link #postpone}.
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
   * Starts no earlier than this moment; takes the place of {@link #delay(Duration)} and {@link
   * #postpone}.
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

  /** Ends as EXPIRED if nobody has started it this long after the enqueue. */
  public JobRequest expiresIn(Duration value) {
    return with(
        copy -> {
          copy.expiresIn = value;
          copy.expiresAt = null;
        });
  }

  /** Ends as EXPIRED if nobody has started it at this moment. */
  public JobRequest expiresAt(Instant value) {
    return with(
        copy -> {
          copy.expiresAt = value;
          copy.expiresIn = null;
        });
  }

  /** At most one live job holds this key, over all queues: up to 255 characters. */
  public JobRequest uniqueKey(String value) {
    return with(copy -> copy.uniqueKey = value);
  }

  /**
   * Takes the place of a waiting job: a job that holds the {@link #uniqueKey} of this request, is
   * of the same queue and type, and is SCHEDULED or AVAILABLE, takes over the payload, the content
   * type, the properties, the priority, the correlation id, the maximum of attempts, the expiry and
   * the name of the caller. Its id, its place among others and when it is due stay, unless the
   * request {@linkplain #postpone postpones} it.
   *
   * <p>{@link Enqueued#isUpdated()} tells that this has happened. A job that runs, is BLOCKED, or
   * is of another queue or type stays as it is, and nothing is enqueued: it holds the key.
   */
  public JobRequest replaceWaiting() {
    return with(copy -> copy.replacesWaiting = true);
  }

  /**
   * Becomes due only after a while without further requests of its {@link #uniqueKey}: the first
   * one enqueues a job that is due after {@code wait}, each further one postpones that job until
   * {@code wait} from then, but never beyond {@code latest} after its enqueue. Which jobs are
   * changed is what {@link #replaceWaiting} says; one that waits for its next attempt keeps its
   * pause. Takes the place of {@link #delay} and {@link #at}.
   *
   * <pre>{@code
   * // Once things are quiet for five seconds, at the latest after a minute, with the last state:
   * jobs.enqueue(JobRequest.of(new Reindex(product)).uniqueKey("reindex-" + product.id())
   *     .replaceWaiting().postpone(Duration.ofSeconds(5), Duration.ofMinutes(1)));
   * }</pre>
   *
   * @param wait from PT0S
   * @param latest counted from the first enqueue; no less than {@code wait}, up to P36500D
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

  /** Free text of up to 255 characters that ties this job to something else. */
  public JobRequest correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /**
   * Adds one property: a text. {@code readpast.then} is the engine's own, and refused when the job
   * is enqueued.
   */
  public JobRequest property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return with(copy -> copy.properties = Map.copyOf(more));
  }

  /** Tried this often, or {@link #UNLIMITED}. */
  public JobRequest maxAttempts(int value) {
    return with(copy -> copy.maxAttempts = value);
  }

  /**
   * Joins a group of its queue (JMSXGroupID): jobs of one group run one at a time, in the order in
   * which they were enqueued, whatever their priority; one that is delayed or retried holds the
   * others. Any number of groups, keys of up to 255 characters.
   */
  public JobRequest group(String key) {
    return with(copy -> copy.group = key);
  }

  /** The same, and says what happens to the group if this job is discarded. */
  public JobRequest group(String key, GroupFailure failure) {
    return with(
        copy -> {
          copy.group = key;
          copy.groupFailure = failure;
        });
  }

  /**
   * Belongs to a wave of a batch; see {@link JobQueue#batch(String)}.
   *
   * @param number from 0; a job starts once every job of all lower waves has ended
   */
  public JobRequest batch(String name, int number) {
    return with(
        copy -> {
          copy.batch = name;
          copy.wave = number;
        });
  }

  /** A name by which other jobs of the same {@link JobQueue#enqueueAll} can follow this one. */
  public JobRequest ref(String name) {
    return with(copy -> copy.ref = name);
  }

  /**
   * Starts once these jobs have ended well, too.
   *
   * @param ids jobs that exist; one that is no longer stored has ended well
   */
  public JobRequest after(long... ids) {
    return with(
        copy -> copy.after = Stream.concat(after.stream(), LongStream.of(ids).boxed()).toList());
  }

  /**
   * Starts once these jobs of the same {@link JobQueue#enqueueAll} have ended well, too.
   *
   * @param refs what they are called by {@link #ref(String)}
   */
  public JobRequest after(String... refs) {
    return with(
        copy -> copy.afterRefs = Stream.concat(afterRefs.stream(), Stream.of(refs)).toList());
  }

  /** Sets what happens to this job if a predecessor ends badly; HOLD by default. */
  public JobRequest predecessorFailure(PredecessorFailure failure) {
    return with(copy -> copy.predecessorFailure = failure);
  }

  /**
   * An object whose class bears {@link JobType}, or a {@code byte[]} or {@code String} of a type.
   */
  public Object payload() {
    return payload;
  }

  /** Null: what the payload's class says. */
  public @Nullable String type() {
    return type;
  }

  /** Null: the payload is to be written as JSON. */
  public @Nullable String contentType() {
    return contentType;
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
  public @Nullable Duration expiresIn() {
    return expiresIn;
  }

  /** Null: it does not expire, or after a time. */
  public @Nullable Instant expiresAt() {
    return expiresAt;
  }

  /** Null: none. */
  public @Nullable String uniqueKey() {
    return uniqueKey;
  }

  /** Returns true if it takes the place of a waiting job of its unique key. */
  public boolean replacesWaiting() {
    return replacesWaiting;
  }

  /** Returns by how much it postpones a waiting job of its unique key; null: not at all. */
  public @Nullable Duration postponedBy() {
    return postponedBy;
  }

  /** Returns how long after the first enqueue its job is due at the latest; null: not postponed. */
  public @Nullable Duration latestStart() {
    return latestStart;
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

  /** Null: none. */
  public @Nullable String group() {
    return group;
  }

  public GroupFailure groupFailure() {
    return groupFailure;
  }

  /** Null: none. */
  public @Nullable String batch() {
    return batch;
  }

  /** Of its batch. */
  public int wave() {
    return wave;
  }

  /** Null: none. */
  public @Nullable String ref() {
    return ref;
  }

  /** Jobs that it comes after. */
  public List<Long> after() {
    return after;
  }

  /** What jobs of the same call are called that it comes after. */
  public List<String> afterRefs() {
    return afterRefs;
  }

  public PredecessorFailure predecessorFailure() {
    return predecessorFailure;
  }

  /** Names the job type and the headers that are set; never the payload. */
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
