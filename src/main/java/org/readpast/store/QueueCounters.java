package org.readpast.store;

/**
 * Describes how one node serves one queue. The counts are totals since the start of the node.
 *
 * @param receivers running receivers, including jobs that applications have received and not yet
 *     committed
 * @param received jobs received for an attempt
 * @param completed attempts that succeeded
 * @param failed attempts that failed
 * @param discarded jobs that ended as DISCARDED
 * @param wakeUps wake-ups of the queue
 * @param emptyReceives polls that found no job
 * @param errors polls that failed
 */
public record QueueCounters(
    String queue,
    int receivers,
    long received,
    long completed,
    long failed,
    long discarded,
    long wakeUps,
    long emptyReceives,
    long errors) {}
