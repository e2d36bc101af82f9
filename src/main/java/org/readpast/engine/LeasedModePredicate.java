package org.readpast.engine;

/**
 * Selects the jobs of a TRANSACTIONAL type that run as LEASED. For example, a diagnostic handler
 * can test both modes.
 */
public interface LeasedModePredicate<T> {
  /** Returns true if the job with this payload runs as LEASED. */
  boolean leased(T payload);
}
