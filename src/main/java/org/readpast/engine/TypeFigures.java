package org.readpast.engine;

import org.readpast.model.Durations;

/**
 * The figures of one job type in this engine since the engine started.
 *
 * @param enqueued jobs enqueued by this application
 * @param completed attempts that succeeded
 * @param failed attempts that failed
 * @param retried attempts after which the job is retried
 * @param discarded jobs that ended as DISCARDED
 * @param waits times from when jobs were due to when they were claimed
 * @param runs how long handlers ran
 */
public record TypeFigures(
    String type,
    long enqueued,
    long completed,
    long failed,
    long retried,
    long discarded,
    Durations waits,
    Durations runs) {}
