package org.readpast.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Principal;

/**
 * A job in this node's hands.
 *
 * @param position 0: claimed straight from its wave, or leased as the next of its group
 * @param claimNo the fence: an end with another number is refused
 * @param attempt which attempt this is, from 1
 * @param uncounted how many of the attempts before do not count
 * @param maxAttempts null: what its type says
 * @param availableAt since when it could be claimed
 * @param expired whether it expired before this claim
 * @param properties a JSON object, or null
 * @param payload JSON; of another content type a JSON string
 * @param startedAt by the database's clock
 * @param contentType null: JSON
 * @param enqueuedBy on whose behalf
 * @param backend the database backend in whose transaction it is worked; 0: none
 * @param lease the lease that names it; 0: its claim has not been committed
 * @param grouped whether it is leased and in a group
 * @param ordered whether it is leased and in a group or a batch
 * @param gone whether the transaction that took it has ended it with that, as COMPLETED
 * @param behind what was leased with it of its group: to be worked once this one has ended well, in
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
    int crashes,
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
    int backend,
    long lease,
    boolean grouped,
    boolean ordered,
    boolean gone,
    List<ClaimedJob> behind) {
  private static final int IN_GROUP = 2;

  /** Whether the claim has been committed. */
  public boolean leased() {
    return lease != 0;
  }

  /** Whether its owner was lost while it was in work, so that it may be what ended the owner. */
  public boolean suspect() {
    return crashes > 0;
  }

  /** How many attempts have counted when this one ends as a counted one. */
  public int countedAttempts() {
    return attempt - uncounted;
  }

  /** The same, worked in a transaction of this backend. */
  public ClaimedJob in(int workingBackend) {
    return as(claimNo, workingBackend, lease, behind);
  }

  ClaimedJob asLease(int newClaimNo, long newLease) {
    return as(newClaimNo, 0, newLease, behind);
  }

  private ClaimedJob as(int newClaimNo, int newBackend, long newLease, List<ClaimedJob> newBehind) {
    return new ClaimedJob(
        id,
        queue,
        type,
        priority,
        position,
        newClaimNo,
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
        newBackend,
        newLease,
        grouped,
        ordered,
        gone,
        newBehind);
  }

  /** Jobs of one group: the first, with the others behind it. */
  public static ClaimedJob inOrder(List<ClaimedJob> jobs) {
    ClaimedJob first = jobs.get(0);
    return jobs.size() == 1
        ? first
        : first.as(first.claimNo, 0, first.lease, jobs.subList(1, jobs.size()));
  }

  /** With nothing behind it. */
  public ClaimedJob alone() {
    return behind.isEmpty() ? this : as(claimNo, 0, lease, List.of());
  }

  /** It, and what is behind it. */
  public Stream<ClaimedJob> all() {
    return Stream.concat(Stream.of(this), behind.stream());
  }

  /** Of a row that has the job's numbers and its texts as arrays, as all these have. */
  static ClaimedJob taken(String queue, Row row) {
    Row numbers = row.elements(0);
    return read(
        queue,
        numbers,
        row.elements(1),
        numbers.integer(4) + 1,
        numbers.integer(12),
        0,
        0,
        numbers.integer(13) > 0);
  }

  /** Of one row that has an array of such arrays from a column on. */
  static List<ClaimedJob> leased(String queue, Row row, int column) {
    List<Row> numbers = row.rows(column);
    List<Row> texts = row.rows(column + 1);
    List<ClaimedJob> jobs = new ArrayList<>(numbers.size());
    for (int i = 0; i < numbers.size(); i++) {
      Row of = numbers.get(i);
      jobs.add(
          read(queue, of, texts.get(i), of.integer(4), 0, of.number(12), of.integer(13), false));
    }
    return jobs;
  }

  /**
   * The same of a row that also has which one each follows: of these the first, the others behind.
   */
  static List<ClaimedJob> leasedInRuns(String queue, Row row, int column) {
    List<ClaimedJob> jobs = leased(queue, row, column);
    List<Long> after = row.numbers(column + 2);
    Map<Long, List<ClaimedJob>> runs = new LinkedHashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      runs.computeIfAbsent(after.get(i), one -> new ArrayList<>()).add(jobs.get(i));
    }
    runs.values().forEach(run -> run.sort(Comparator.comparingLong(ClaimedJob::id)));
    return runs.values().stream().map(ClaimedJob::inOrder).toList();
  }

  private static ClaimedJob read(
      String queue,
      Row numbers,
      Row texts,
      int attempt,
      int backend,
      long lease,
      int place,
      boolean gone) {
    return new ClaimedJob(
        numbers.number(0),
        queue,
        texts.text(0),
        numbers.integer(1),
        numbers.isNull(2) ? 0 : numbers.number(2),
        numbers.integer(3),
        attempt,
        numbers.isNull(5) ? 0 : numbers.integer(5),
        numbers.isNull(6) ? 0 : numbers.integer(6),
        numbers.integerOrNull(7),
        numbers.micros(8),
        numbers.micros(9),
        !numbers.isNull(11) && numbers.integer(11) > 0,
        texts.textOrNull(1),
        texts.textOrNull(2),
        texts.textOrNull(3),
        texts.text(4),
        numbers.micros(10),
        texts.textOrNull(5),
        Principal.read(texts.textOrNull(6)),
        backend,
        lease,
        place == IN_GROUP,
        place > 0,
        gone,
        List.of());
  }
}
