package org.readpast.api;

/** How the pause between two attempts grows. */
public enum Backoff {
  /** The same pause each time. */
  FIXED,
  /** Doubles with each attempt, up to the cap. */
  EXPONENTIAL
}
