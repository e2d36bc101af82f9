package org.readpast.store;

/**
 * The counters of one node for one queue since the node started.
 *
 * @param enqueued jobs that the node has enqueued there
 * @param waits a histogram of the times from when jobs were due to when they were claimed
 * @param runs a histogram of the run times of handlers; both in the form of {@link
 *     org.readpast.model.Durations#text}
 */
public record ReportedCounters(QueueCounters counters, long enqueued, String waits, String runs) {}
