package org.readpast.store;

import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * The end of a job, as watchers receive it.
 *
 * @param batch the id of the batch, or null if it is in no batch
 * @param properties a JSON object, or null
 */
public record JobEnd(
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
    @Nullable Long batch,
    @Nullable String properties) {}
