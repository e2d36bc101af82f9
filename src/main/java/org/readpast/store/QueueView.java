package org.readpast.store;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobState;

/**
 * A queue, its settings and how many jobs it holds.
 *
 * @param concurrency receivers on each node; null: what the configuration says
 * @param counts for each state, 0 included
 */
public record QueueView(
    String name, boolean paused, @Nullable Integer concurrency, Map<JobState, Long> counts) {}
