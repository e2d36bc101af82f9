package org.readpast.store;

/**
 * Holds the counts of one node in one second, for the jobs of one queue and type. Queue and type
 * are empty for jobs that were not counted separately.
 *
 * @param second the second since 1970, by the database's clock
 * @param type the job type without its version
 * @param waits how long jobs waited, as {@link org.readpast.model.Durations#text}
 * @param runs how long handlers ran, as {@link org.readpast.model.Durations#text}
 */
public record SecondTally(
    long second,
    String queue,
    String type,
    long enqueued,
    long completed,
    long failed,
    String waits,
    String runs) {}
