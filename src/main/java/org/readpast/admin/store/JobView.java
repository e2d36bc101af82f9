package org.readpast.admin.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.database.Row;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.StoredType;

/**
 * Describes a live or ended job to callers outside the engine. Content that this application cannot
 * decrypt is shown as {@link Encryption#shownJson} returns it.
 *
 * @param maxAttempts the limit of the job or of its type; -1 if it is unlimited
 * @param properties the properties as a JSON object, or null if there are none
 * @param node the engine that executes the job, or that ended it
 * @param startedAt when the current or last attempt started
 * @param waitsFor PREDECESSOR, WAVE or GROUP if the job is BLOCKED
 * @param contentType the content type, or null for JSON
 * @param retriesRemaining the number of attempts that are left after the running one; -1 if it is
 *     unlimited
 * @param enqueuedBy the name of the caller, or null if no user was signed in
 * @param payload the payload as JSON, or as a JSON string if it has another content type; null in
 *     lists
 * @param result the handler's result as JSON; null in lists or if there is none
 */
public record JobView(
    long id,
    String queue,
    String type,
    int version,
    JobState state,
    int priority,
    int attempt,
    int maxAttempts,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable String properties,
    @Nullable UUID node,
    Instant enqueuedAt,
    Instant availableAt,
    @Nullable Instant expiresAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable String group,
    @Nullable String batch,
    @Nullable Integer wave,
    @Nullable String waitsFor,
    @Nullable String contentType,
    int retriesRemaining,
    @Nullable String enqueuedBy,
    @Nullable String payload,
    @Nullable String result) {

  /** Returns the job type in its stored form. */
  public StoredType storedType() {
    return new StoredType(type, version);
  }

  static JobView withPayload(Row row, Encryption encryption) {
    long id = row.number(0);
    String stored = row.text(2);
    return read(
        row,
        encryption,
        encryption.shownJson(EncryptionContext.payload(id, stored), row.textOrNull(23)),
        encryption.shownJson(EncryptionContext.result(id, stored), row.textOrNull(24)));
  }

  static JobView withoutPayload(Row row, Encryption encryption) {
    return read(row, encryption, null, null);
  }

  private static JobView read(
      Row row, Encryption encryption, @Nullable String payload, @Nullable String result) {
    String node = row.textOrNull(10);
    StoredType type = StoredType.of(row.text(2));
    return new JobView(
        row.number(0),
        row.text(1),
        type.name(),
        type.version(),
        JobState.valueOf(row.text(3)),
        row.integer(4),
        row.integer(5),
        row.integer(6),
        row.textOrNull(7),
        row.textOrNull(8),
        encryption.shownJson(
            EncryptionContext.properties(row.number(0), row.text(2)), row.textOrNull(9)),
        node == null ? null : UUID.fromString(node),
        row.moment(11),
        row.moment(12),
        row.momentOrNull(13),
        row.momentOrNull(14),
        row.momentOrNull(15),
        row.textOrNull(16),
        row.textOrNull(17),
        row.integerOrNull(18),
        row.textOrNull(19),
        row.textOrNull(20),
        row.integer(21),
        row.textOrNull(22),
        payload,
        result);
  }
}
