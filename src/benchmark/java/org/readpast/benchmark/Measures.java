package org.readpast.benchmark;

/** A set of related measures. */
interface Measures {
  /** Takes each measure once. */
  void take(Results results) throws Exception;

  /** Sets the targets of the measures. */
  void aim(Results results);
}
