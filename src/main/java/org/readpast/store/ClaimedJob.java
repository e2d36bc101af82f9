package org.readpast.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Principal;

/**
 * A job that this node has leased.
 *
 * @param position 0: claimed straight from its wave, or leased as the next of its group
 * @param claimNo the fence: an end with another number is refused
 * @param attempt the start of the handler that this lease is for, from 1
 * @param uncounted how many of the starts before do not count
 * @param crashes deaths of nodes that it was in work at, since an attempt last returned; 0: it was
 *     leased at one; null: none
 * @param maxAttempts null: what its type says
 * @param availableAt since when it could be claimed
 * @param expired whether it expired before this claim
 * @param properties a JSON object, or null
 * @param payload JSON; of another content type a JSON string. What this application cannot decrypt
 *     is as {@link Encryption#shownJson} gives it
 * @param startedAt when it was leased, by the database's clock
 * @param contentType null: JSON
 * @param enqueuedBy on whose behalf
 * @param lease the lease that names it
 * @param group null: none
 * @param batch the batch's id; null: none
 * @param behind what was leased with it of its group: to be worked once this one has succeeded, in
 *     this order
 */
public record ClaimedJob(
    long id,
    String queue,
    String type,
    int priority,
    long position,
    int claimNo,
    int attempt,
    int uncounted,
    @Nullable Integer crashes,
    @Nullable Integer maxAttempts,
    Instant enqueuedAt,
    Instant availableAt,
    boolean expired,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable String properties,
    String payload,
    Instant startedAt,
    @Nullable String contentType,
    Principal enqueuedBy,
    long lease,
    @Nullable String group,
    @Nullable Long batch,
    List<ClaimedJob> behind) {
  // The first death is nearly always another job's fault.
  private static final int SUSPECT = 2;

  /**
   * Returns true if it was running at so many deaths that it may have caused them, or that one more
   * would make it a dead letter.
   *
   * @param maxAttempts of this job
   */
  public boolean suspect(int maxAttempts) {
    return crashes != null && crashes > 0 && (crashes >= SUSPECT || crashes + 1 == maxAttempts);
  }

  /** Whether it was leased by a node that died, and no attempt has returned since. */
  public boolean leasedAtDeath() {
    return crashes != null;
  }

  /**
   * How many attempts have counted when this one fails: it has returned, so deaths before it count
   * no more.
   */
  public int countedAttempts() {
    return attempt - uncounted - (crashes == null ? 0 : crashes);
  }

  /** How many starts count while this attempt runs: deaths before it are charged to the job. */
  public int countedStarts() {
    return attempt - uncounted;
  }

  /** Why this application cannot decrypt its payload or its properties; null: it can. */
  public @Nullable String encrypted() {
    String why = Encryption.whyNot(payload);
    return why == null ? Encryption.whyNot(properties) : why;
  }

  private ClaimedJob with(List<ClaimedJob> newBehind) {
    return new ClaimedJob(
        id,
        queue,
        type,
        priority,
        position,
        claimNo,
        attempt,
        uncounted,
        crashes,
        maxAttempts,
        enqueuedAt,
        availableAt,
        expired,
        uniqueKey,
        correlationId,
        properties,
        payload,
        startedAt,
        contentType,
        enqueuedBy,
        lease,
        group,
        batch,
        newBehind);
  }

  /** Jobs of one group: the first, with the others behind it. */
  public static ClaimedJob inOrder(List<ClaimedJob> jobs) {
    ClaimedJob first = jobs.get(0);
    return jobs.size() == 1 ? first : first.with(jobs.subList(1, jobs.size()));
  }

  /** Returns true if it is in a group or a batch. */
  public boolean ordered() {
    return group != null || batch != null;
  }

  /** With nothing behind it. */
  public ClaimedJob alone() {
    return behind.isEmpty() ? this : with(List.of());
  }

  /** It, and what is behind it. */
  public Stream<ClaimedJob> all() {
    return Stream.concat(Stream.of(this), behind.stream());
  }

  /** Reads jobs of one row that has an array of their numbers, and one of their texts. */
  static List<ClaimedJob> leased(String queue, Row row, int column, Encryption encryption) {
    List<Row> numbers = row.rows(column);
    List<Row> texts = row.rows(column + 1);
    List<ClaimedJob> jobs = new ArrayList<>(numbers.size());
    for (int i = 0; i < numbers.size(); i++) {
      jobs.add(read(queue, numbers.get(i), texts.get(i), encryption));
    }
    return jobs;
  }

  /**
   * Reads jobs of a row that also has which one each follows: of these the first, the others
   * behind.
   */
  static List<ClaimedJob> leasedInRuns(String queue, Row row, int column, Encryption encryption) {
    List<ClaimedJob> jobs = leased(queue, row, column, encryption);
    List<Long> after = row.numbers(column + 2);
    Map<Long, List<ClaimedJob>> runs = new LinkedHashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      runs.computeIfAbsent(after.get(i), one -> new ArrayList<>()).add(jobs.get(i));
    }
    runs.values().forEach(run -> run.sort(Comparator.comparingLong(ClaimedJob::id)));
    // As the lease names them: its first is the first to start.
    return runs.values().stream()
        .map(ClaimedJob::inOrder)
        .sorted(Comparator.comparingLong(ClaimedJob::id))
        .toList();
  }

  private static ClaimedJob read(String queue, Row numbers, Row texts, Encryption encryption) {
    long id = numbers.number(0);
    String type = texts.text(0);
    return new ClaimedJob(
        id,
        queue,
        type,
        numbers.integer(1),
        numbers.isNull(2) ? 0 : numbers.number(2),
        numbers.integer(3),
        numbers.integer(4),
        numbers.isNull(5) ? 0 : numbers.integer(5),
        numbers.integerOrNull(6),
        numbers.integerOrNull(7),
        numbers.micros(8),
        numbers.micros(9),
        !numbers.isNull(11) && numbers.integer(11) > 0,
        texts.textOrNull(1),
        texts.textOrNull(2),
        encryption.shownJson(EncryptionContext.properties(id, type), texts.textOrNull(3)),
        Objects.requireNonNull(
            encryption.shownJson(EncryptionContext.payload(id, type), texts.text(4))),
        numbers.micros(10),
        texts.textOrNull(5),
        Principal.read(texts.textOrNull(6)),
        numbers.number(12),
        texts.textOrNull(7),
        numbers.numberOrNull(13),
        List.of());
  }
}
