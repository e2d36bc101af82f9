package org.readpast.store;

/**
 * Describes how one node serves one queue. The counts are totals since the start of the node.
 *
 * @param receivers the number of running receivers, including jobs that applications have received
 *     and not yet committed
 * @param received the number of jobs received for an attempt
 * @param completed the number of attempts that succeeded
 * @param failed the number of attempts that failed
 * @param discarded the number of jobs that ended as DISCARDED
 * @param wakeUps the number of wake-ups of the queue
 * @param emptyReceives the number of polls that found no job
 * @param errors the number of polls that failed
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
