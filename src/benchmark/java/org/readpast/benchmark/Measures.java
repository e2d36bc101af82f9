package org.readpast.benchmark;

/** Takes a set of related measures. */
interface Measures {
  /** Runs each measurement once. */
  void take(Results results) throws Exception;

  /** Sets the targets of the measures. */
  void aim(Results results);
}
