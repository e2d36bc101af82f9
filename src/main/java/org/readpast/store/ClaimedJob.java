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
 * @param position 0 if it was leased from an open wave or as the next of its group
 * @param claimNo the fence: an end with another number is refused
 * @param attempt the number of the handler start that this lease is for, from 1
 * @param uncounted how many of the earlier starts do not count as attempts
 * @param crashes the number of node deaths during which it was running since an attempt last
 *     returned; 0 if it was leased but not running at such a death; null if no node died that held
 *     it
 * @param maxAttempts null for the number that its type specifies
 * @param availableAt the time since which it could be claimed
 * @param expired true if it expired before this claim
 * @param properties a JSON object, or null
 * @param payload JSON; for another content type a JSON string. If this application cannot decrypt
 *     it, the text that {@link Encryption#shownJson} returns
 * @param startedAt the time of the lease, by the database's clock
 * @param contentType null for JSON
 * @param enqueuedBy the user on whose behalf it was enqueued
 * @param lease the id of the lease that names it
 * @param group null if it is in no group
 * @param batch the id of the batch, or null if it is in no batch
 * @param nextInGroup the next jobs of its group that were leased with it; each runs once the job
 *     before it has succeeded, in this order
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
  // A job becomes a suspect at this many deaths: the first one is nearly always caused by another
  // job.
  private static final int SUSPECT = 2;

  /**
   * Returns true if it was running at so many deaths that it may have caused them, or if one more
   * death would make it a dead letter.
   *
   * @param maxAttempts the number that applies to this job
   */
  public boolean suspect(int maxAttempts) {
    return crashes != null && crashes > 0 && (crashes >= SUSPECT || crashes + 1 == maxAttempts);
  }

  /** Returns true if a node died that had leased it, and no attempt has returned since. */
  public boolean leasedAtDeath() {
    return crashes != null;
  }

  /**
   * Returns the number of attempts that have counted if this attempt fails. This attempt has
   * returned, so earlier deaths no longer count.
   */
  public int countedAttempts() {
    return attempt - uncounted - (crashes == null ? 0 : crashes);
  }

  /**
   * Returns the number of starts that count while this attempt runs. Earlier deaths are included,
   * because they are charged to the job.
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

  /** Returns the first of these jobs of one group, with the others behind it. */
  public static ClaimedJob inOrder(List<ClaimedJob> jobs) {
    ClaimedJob first = jobs.get(0);
    return jobs.size() == 1 ? first : first.with(jobs.subList(1, jobs.size()));
  }

  /** Returns true if it is in a group or a batch. */
  public boolean inGroupOrBatch() {
    return group != null || batch != null;
  }

  /** Returns this job with no jobs behind it. */
  public ClaimedJob withoutNext() {
    return nextInGroup.isEmpty() ? this : with(List.of());
  }

  /** Returns this job and the jobs behind it. */
  public Stream<ClaimedJob> all() {
    return Stream.concat(Stream.of(this), nextInGroup.stream());
  }

  /**
   * Reads the jobs of one row, which has one column with their numbers and one with their texts.
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
   * Reads the jobs of a row that also has, for each job, the ended job that it follows. Of the jobs
   * that follow the same one, the first is returned, with the others behind it.
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
