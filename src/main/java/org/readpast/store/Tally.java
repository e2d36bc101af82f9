package org.readpast.store;

/**
 * What one node has done in one queue since it started.
 *
 * @param enqueued jobs that came to be there
 * @param waits how many jobs waited how long, from when they were due to when they were claimed
 * @param runs how many handlers ran how long; both as {@link org.readpast.model.Durations#text}
 */
public record Tally(Listening listening, long enqueued, String waits, String runs) {}
