package org.readpast.store;

/**
 * Holds the counters of one node for one queue since the node started.
 *
 * @param enqueued the number of jobs that the node has enqueued to the queue
 * @param waits a histogram of the times from the due time of jobs to their claims
 * @param runs a histogram of the run times of handlers; both in the form of {@link
 *     org.readpast.model.Durations#text}
 */
public record ReportedCounters(QueueCounters counters, long enqueued, String waits, String runs) {}
