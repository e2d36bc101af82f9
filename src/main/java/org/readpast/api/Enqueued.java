package org.readpast.api;

/**
 * What became of an enqueue.
 *
 * @param id the job's id
 * @param isNew false if a live job already held the unique key; {@code id} is then that job's
 */
public record Enqueued(long id, boolean isNew) {}
