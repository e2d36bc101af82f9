package org.readpast.engine;

import org.readpast.model.Durations;

/**
 * Holds the figures of one job type in this engine since the engine started.
 *
 * @param enqueued the number of jobs that this application has enqueued
 * @param completed the number of attempts that succeeded
 * @param failed the number of attempts that failed
 * @param retried the number of attempts after which the job is retried
 * @param discarded the number of jobs that ended as DISCARDED
 * @param waits the distribution of the times from the due time of jobs to their claims
 * @param runs the distribution of the times that handlers ran
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
