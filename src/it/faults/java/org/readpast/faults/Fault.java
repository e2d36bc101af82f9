package org.readpast.faults;

import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Something that goes wrong, and is well again when it has returned.
 *
 * @param weight how often it comes among the others, in a long run
 * @param possible where it can be
 */
record Fault(String kind, int weight, Predicate<Cluster> possible, Happening happening) {
  /** What is done; it says whom it has hit, or null when that is all or the database. */
  @FunctionalInterface
  interface Happening {
    @Nullable String happen(Cluster cluster, Random dice) throws Exception;
  }
}
