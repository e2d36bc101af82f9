package org.readpast.store;

/**
 * One range of the claim's index within a queue.
 *
 * @param mark position from which to look
 */
public record Lane(String type, int priority, long mark) {}
