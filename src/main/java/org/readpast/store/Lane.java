package org.readpast.store;

/**
 * One range of the claim's index within a queue.
 *
 * @param mark position from which to look
 * @param micros how long one job of it is expected to take
 */
public record Lane(String type, int priority, long mark, long micros) {}
