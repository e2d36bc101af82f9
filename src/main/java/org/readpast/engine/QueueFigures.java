package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.model.Durations;
import org.readpast.store.QueueCounters;

/**
 * The figures of one queue in this engine; counts begin when the engine starts.
 *
 * @param served true if this engine claims jobs from the queue
 * @param concurrency maximum number of receivers of the queue in this engine
 * @param globalConcurrency maximum number of concurrent jobs over all nodes; null: no limit
 * @param enqueued jobs enqueued by this application
 * @param retried attempts after which the job is retried
 * @param waits times from when jobs were due to when they were claimed
 * @param runs how long handlers ran
 */
public record QueueFigures(
    QueueCounters counters,
    boolean served,
    boolean paused,
    int concurrency,
    @Nullable Integer globalConcurrency,
    long enqueued,
    long retried,
    Durations waits,
    Durations runs) {}
