package org.readpast.store;

import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * Which jobs to list, newest first; null: any.
 *
 * @param below ids below this only; null: from the newest
 * @param limit at most so many
 */
public record JobFilter(
    @Nullable String queue,
    @Nullable String type,
    @Nullable JobState state,
    @Nullable Long below,
    int limit) {}
