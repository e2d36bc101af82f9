package org.readpast.admin;

import org.readpast.model.QueueAccess;

/**
 * Reads and changes that can be limited to the queues of a caller. {@code rest} injects only these,
 * so that no route can act without naming its caller.
 *
 * @param <T> the limited type
 */
public interface Scoped<T> {
  /** Returns the same, limited to what this caller may see and do. */
  T within(QueueAccess access);
}
