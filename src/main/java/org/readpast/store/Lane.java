package org.readpast.store;

/**
 * The jobs of one type and priority in a queue: one range of the index that claims read.
 *
 * @param mark the position from which claims read
 * @param micros the expected duration of one of its jobs, in microseconds
 */
public record Lane(String type, int priority, long mark, long micros) {}
