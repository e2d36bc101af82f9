package org.readpast.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Principal;

/**
 * A job in this node's hands.
 *
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
    boolean gone) {

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
    return as(claimNo, workingBackend, lease);
  }

  ClaimedJob asLease(int newClaimNo, long newLease) {
    return as(newClaimNo, 0, newLease);
  }

  private ClaimedJob as(int newClaimNo, int newBackend, long newLease) {
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
        gone);
  }

  static ClaimedJob taken(String queue, Row row) {
    return taken(queue, row, false);
  }

  static ClaimedJob takenAndEnded(String queue, Row row) {
    return taken(queue, row, row.flag(21));
  }

  private static ClaimedJob taken(String queue, Row row, boolean gone) {
    return read(queue, row, row.integer(5) + 1, row.integer(19), 0, false, false, gone);
  }

  static ClaimedJob leased(String queue, Row row) {
    boolean ordered = !row.isNull(20);
    return read(queue, row, row.integer(5), 0, row.number(19), row.flag(20), ordered, false);
  }

  private static ClaimedJob read(
      String queue,
      Row row,
      int attempt,
      int backend,
      long lease,
      boolean grouped,
      boolean ordered,
      boolean gone) {
    return new ClaimedJob(
        row.number(0),
        queue,
        row.text(1),
        row.integer(2),
        row.number(3),
        row.integer(4),
        attempt,
        row.isNull(6) ? 0 : row.integer(6),
        row.isNull(7) ? 0 : row.integer(7),
        row.integerOrNull(8),
        row.moment(9),
        row.moment(15),
        row.flag(17),
        row.textOrNull(10),
        row.textOrNull(11),
        row.textOrNull(12),
        row.text(13),
        row.moment(18),
        row.textOrNull(14),
        Principal.read(row.textOrNull(16)),
        backend,
        lease,
        grouped,
        ordered,
        gone);
  }
}
