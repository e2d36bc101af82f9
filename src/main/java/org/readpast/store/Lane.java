package org.readpast.store;

/**
 * Represents the jobs of one type and priority in a queue, which claims read as one range of an
 * index.
 *
 * @param mark the position from which claims read
 * @param micros the expected duration of one job in the lane, in microseconds
 */
public record Lane(String type, int priority, long mark, long micros) {}
