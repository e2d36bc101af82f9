package org.readpast.admin.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Row;
import org.readpast.model.Encryption;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Failure;

/**
 * Describes one delivery of a job to a handler.
 *
 * @param attempt the number of the attempt, from 1
 * @param node the engine that executed it, or null if that is no longer known
 * @param startedAt when the handler started, or null if that is not known
 * @param endedAt when the attempt ended, or null if it is still running
 * @param failure the failure, or null if the attempt succeeded or is still running
 */
public record AttemptView(
    int attempt,
    @Nullable UUID node,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Failure failure) {

  static AttemptView failed(Row row, long job, Encryption encryption) {
    String node = row.textOrNull(1);
    return new AttemptView(
        row.integer(0),
        node == null ? null : UUID.fromString(node),
        row.momentOrNull(2),
        row.moment(3),
        new Failure(
            Failure.Kind.valueOf(row.text(4)),
            row.textOrNull(5),
            encryption.shownText(EncryptionContext.failure(job), row.textOrNull(6)),
            encryption.shownText(EncryptionContext.failure(job), row.textOrNull(7))));
  }

  static AttemptView latest(JobView job) {
    return new AttemptView(job.attempt(), job.node(), job.startedAt(), job.endedAt(), null);
  }
}
