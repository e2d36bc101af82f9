package org.readpast.store;

/**
 * How one node serves one queue; the counts are since it started.
 *
 * @param receivers at work, with jobs that applications have received and not yet committed
 * @param received jobs received for an attempt
 * @param completed attempts that ended well
 * @param failed attempts that did not
 * @param discarded jobs that ended as DISCARDED
 * @param wakeUps times that it was to be looked at, because something woke it
 * @param emptyReceives looks that found nothing
 * @param errors looks that failed
 */
public record Listening(
    String queue,
    int receivers,
    long received,
    long completed,
    long failed,
    long discarded,
    long wakeUps,
    long emptyReceives,
    long errors) {}
