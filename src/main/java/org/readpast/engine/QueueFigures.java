package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.model.Durations;
import org.readpast.store.Listening;

/**
 * One queue as this engine serves it; what is counted is counted since it started.
 *
 * @param served whether this engine looks for jobs in it
 * @param concurrency how many receivers it may have here
 * @param globalConcurrency most jobs at a time over all nodes; null: no limit
 * @param enqueued jobs enqueued by this application
 * @param retried attempts after which the job is tried again
 * @param waits from when jobs were due to when they were claimed
 * @param runs how long handlers ran
 */
public record QueueFigures(
    Listening listening,
    boolean served,
    boolean paused,
    int concurrency,
    @Nullable Integer globalConcurrency,
    long enqueued,
    long retried,
    Durations waits,
    Durations runs) {}
