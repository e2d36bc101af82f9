package org.readpast.admin.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.StoredType;
import org.readpast.store.Row;

/**
 * A job as it is seen from outside, live or ended. What this application cannot decrypt of it is as
 * {@link Encryption#shownJson} gives it.
 *
 * @param maxAttempts its own or its type's; -1: unlimited
 * @param properties a JSON object, or null
 * @param node the engine that works it or ended it
 * @param startedAt of the current or last attempt
 * @param waitsFor PREDECESSOR, WAVE or GROUP while it is BLOCKED
 * @param contentType null: JSON
 * @param retriesRemaining attempts that are left, the one in work not counted; -1: unlimited
 * @param enqueuedBy name of the caller; null: nobody was signed in
 * @param payload JSON, of another content type a JSON string; null in lists
 * @param result what its handler gave, as JSON; null: nothing, or in lists
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

  /** As its type is stored. */
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
