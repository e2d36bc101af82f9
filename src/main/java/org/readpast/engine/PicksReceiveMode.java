package org.readpast.engine;

/**
 * Runs some jobs of a TRANSACTIONAL type as LEASED, such as a diagnostic handler that can test both
 * modes.
 */
public interface PicksReceiveMode<T> {
  /** Returns true if the job with this payload runs as LEASED. */
  boolean leased(T payload);
}
