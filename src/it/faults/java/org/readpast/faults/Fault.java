package org.readpast.faults;

import java.util.Random;

/**
 * Something that goes wrong, and is well again when it has returned.
 *
 * @param weight how often it comes among the others, in a long run
 */
record Fault(String kind, int weight, Happening happening) {
  /** What is done; it says whom it has hit, or null when that is all or the database. */
  @FunctionalInterface
  interface Happening {
    String happen(Cluster cluster, Random dice) throws Exception;
  }
}
