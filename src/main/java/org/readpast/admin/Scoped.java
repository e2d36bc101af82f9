package org.readpast.admin;

import org.readpast.model.QueueAccess;

/**
 * Limits reads and changes to the queues of a caller. {@code rest} injects only types that
 * implement this, so no route can act without naming its caller.
 *
 * @param <T> the limited type
 */
public interface Scoped<T> {
  /** Returns this object, limited to what the caller may see and do. */
  T within(QueueAccess access);
}
