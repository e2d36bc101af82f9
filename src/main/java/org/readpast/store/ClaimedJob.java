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
import org.readpast.database.Row;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Principal;

/**
 * Describes a job that this node has leased.
 *
 * @param position the position in the lane; 0 if the job was leased from an open wave or as the
 *     next of its group
 * @param claimNo the fence: if the job is ended with another number, the end is refused
 * @param attempt the number of the handler start for which the job is leased, from 1
 * @param uncounted the number of earlier starts that do not count as attempts
 * @param crashes the number of node deaths during which the job was running since an attempt last
 *     returned; 0 if it was leased but not running; null if no node died while it held the job
 * @param maxAttempts the maximum number of attempts, or null for that of the job type
 * @param availableAt the time since when the job could be claimed
 * @param expired true if the job had expired before this claim
 * @param properties the properties as a JSON object, or null if there are none
 * @param payload the payload as JSON, or as a JSON string if it has another content type. If this
 *     application cannot decrypt the payload, it is the text that {@link Encryption#shownJson}
 *     returns
 * @param startedAt the time of the lease, by the database's clock
 * @param contentType the content type, or null for JSON
 * @param enqueuedBy the user on whose behalf the job was enqueued
 * @param lease the id of the lease that names the job
 * @param group the key of the group, or null if the job is in none
 * @param batch the id of the batch, or null if the job is in none
 * @param nextInGroup the next jobs of the group that were leased with this job, in order; each runs
 *     after the job before it has succeeded
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
    List<ClaimedJob> nextInGroup) {
  // A job becomes a suspect at its second death: the first death is nearly always caused by another
  // job.
  private static final int SUSPECT = 2;

  /**
   * Returns true if the job was running at so many deaths that it may have caused them, or if it
   * becomes a dead letter at the next death.
   *
   * @param maxAttempts the maximum number of attempts that applies to this job
   */
  public boolean suspect(int maxAttempts) {
    return crashes != null && crashes > 0 && (crashes >= SUSPECT || crashes + 1 == maxAttempts);
  }

  /** Returns true if a node has died that had leased the job, and no attempt has returned since. */
  public boolean leasedAtDeath() {
    return crashes != null;
  }

  /**
   * Returns the number of attempts that have counted if this attempt fails. Earlier deaths no
   * longer count, because this attempt has returned.
   */
  public int countedAttempts() {
    return attempt - uncounted - (crashes == null ? 0 : crashes);
  }

  /**
   * Returns the number of starts that count while this attempt runs. Deaths of earlier owners are
   * included, because the job is charged with them.
   */
  public int countedStarts() {
    return attempt - uncounted;
  }

  /**
   * Returns the reason why this application cannot decrypt the payload or the properties, or null
   * if it can.
   */
  public @Nullable String encrypted() {
    String why = Encryption.whyNot(payload);
    return why == null ? Encryption.whyNot(properties) : why;
  }

  private ClaimedJob with(List<ClaimedJob> newNextInGroup) {
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
        newNextInGroup);
  }

  /** Returns the first of the claimed jobs of one group, with the others behind it. */
  public static ClaimedJob inOrder(List<ClaimedJob> jobs) {
    ClaimedJob first = jobs.get(0);
    return jobs.size() == 1 ? first : first.with(jobs.subList(1, jobs.size()));
  }

  /** Returns a copy of this job without the jobs behind it. */
  public ClaimedJob withoutNext() {
    return nextInGroup.isEmpty() ? this : with(List.of());
  }

  /** Returns this job and the jobs behind it. */
  public Stream<ClaimedJob> all() {
    return Stream.concat(Stream.of(this), nextInGroup.stream());
  }

  /** Returns the size of the payloads and properties of this job and the jobs behind it. */
  public long bytes() {
    long sum = payload.length() + (properties == null ? 0 : properties.length());
    for (ClaimedJob next : nextInGroup) {
      sum += next.bytes();
    }
    return sum;
  }

  /**
   * Reads the jobs of one row, which has one column for their numbers and one for their strings.
   */
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
   * Reads the jobs of a row that also contains, for each job, the ended job that it follows. If
   * several jobs follow the same one, the first is returned, with the others behind it.
   */
  static List<ClaimedJob> leasedInRuns(String queue, Row row, int column, Encryption encryption) {
    List<ClaimedJob> jobs = leased(queue, row, column, encryption);
    List<Long> after = row.numbers(column + 2);
    Map<Long, List<ClaimedJob>> runs = new LinkedHashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      runs.computeIfAbsent(after.get(i), one -> new ArrayList<>()).add(jobs.get(i));
    }
    runs.values().forEach(run -> run.sort(Comparator.comparingLong(ClaimedJob::id)));
    // Jobs are in the order of their lease, because the first one counts as started.
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
