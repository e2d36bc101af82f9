package org.readpast.engine;

/**
 * A handler of a TRANSACTIONAL type that runs some of its jobs as LEASED, such as a diagnostic
 * handler that can test both modes.
 */
public interface PicksReceiveMode<T> {
  /** Returns true if this job is to run as LEASED. */
  boolean leased(T payload);
}
