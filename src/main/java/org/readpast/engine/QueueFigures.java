package org.readpast.engine;

import org.jspecify.annotations.Nullable;
import org.readpast.model.Durations;
import org.readpast.store.QueueCounters;

/**
 * Holds the figures of one queue in this engine, counted since the engine started.
 *
 * @param served true if this engine claims jobs from the queue
 * @param concurrency maximum number of receivers of the queue in this engine
 * @param globalConcurrency maximum number of concurrent jobs across all nodes, or null if there is
 *     no limit
 * @param enqueued the number of jobs that this application has enqueued
 * @param retried the number of attempts after which the job is retried
 * @param waits the distribution of the times from the due time of jobs to their claims
 * @param runs the distribution of the times that handlers ran
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
