package org.readpast.runtime;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;
import org.readpast.model.StoredType;
import org.readpast.store.JobEnd;

/** Describes the end of a job for the application's observers. */
record EndedJobEvent(
    long id,
    String queue,
    String type,
    JobState state,
    int attempt,
    @Nullable String uniqueKey,
    @Nullable String correlationId,
    @Nullable String enqueuedBy,
    @Nullable String failure,
    @Nullable String group,
    @Nullable String batch,
    Map<String, String> properties)
    implements JobEvent {

  static EndedJobEvent of(JobEnd end, @Nullable String batch, Map<String, String> properties) {
    return new EndedJobEvent(
        end.id(),
        end.queue(),
        StoredType.nameOf(end.type()),
        end.state(),
        end.attempt(),
        end.uniqueKey(),
        end.correlationId(),
        end.enqueuedBy(),
        end.failure(),
        end.group(),
        batch,
        properties);
  }
}
