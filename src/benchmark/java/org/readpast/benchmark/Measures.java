package org.readpast.benchmark;

/** Some measures that belong together. */
interface Measures {
  /** Takes each of them once. */
  void take(Results results) throws Exception;

  /** Says what they must reach. */
  void aim(Results results);
}
