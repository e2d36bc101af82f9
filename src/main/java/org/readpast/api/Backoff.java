package org.readpast.api;

/** Specifies how the pause between two attempts grows. */
public enum Backoff {
  /** Uses the same pause each time. */
  FIXED,
  /** Doubles the pause with each attempt, up to the maximum. */
  EXPONENTIAL
}
