package org.readpast.admin;

import org.readpast.model.QueueAccess;

/**
 * Limits what is read and changed to the queues that a caller may see and change. The package
 * {@code rest} injects only types that implement this interface, so every request is limited to the
 * roles of its caller.
 *
 * @param <T> the type of the limited service
 */
public interface Scoped<T> {
  /** Returns this service, limited to what the caller may see and do. */
  T within(QueueAccess access);
}
