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
  /** What is done; it says what it has hit, or null when that is all or the database. */
  @FunctionalInterface
  interface Happening {
    @Nullable Hit happen(Cluster cluster, Random dice) throws Exception;
  }

  /**
   * What it has hit.
   *
   * @param server null: all, or the database
   * @param since later than its begin where another fault had to be over first; null: since then
   */
  record Hit(@Nullable String server, @Nullable Long since) {
    static Hit of(Cluster.Member member) {
      return new Hit(member.name(), null);
    }

    static Hit of(Cluster.Member member, long since) {
      return new Hit(member.name(), since);
    }

    static Hit ofAll(long since) {
      return new Hit(null, since);
    }
  }
}
