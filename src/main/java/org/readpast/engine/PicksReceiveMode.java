package org.readpast.engine;

/**
 * A handler of a TRANSACTIONAL type that has some of its jobs leased, as a diagnostic does that can
 * try both.
 */
public interface PicksReceiveMode<T> {
  /** Whether this job is to be leased. */
  boolean leased(T payload);
}
