package org.readpast.store;

import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Describes the end of a job to observers.
 *
 * @param batch the id of the batch, or null if the job is in none
 * @param properties the properties as a JSON object, or null if there are none
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
