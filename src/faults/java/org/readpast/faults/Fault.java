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
  /** What is done; it says what it has hit. */
  @FunctionalInterface
  interface Happening {
    Hit happen(Cluster cluster, Random dice) throws Exception;
  }

  /**
   * What it has hit.
   *
   * @param server null: all, or the database
   * @param since null: since it began; otherwise when another fault was over that was in its way
   */
  record Hit(@Nullable String server, @Nullable Long since) {
    static final Hit ALL = new Hit(null, null);

    static Hit of(Cluster.Member member) {
      return new Hit(member.name(), null);
    }

    static Hit now(@Nullable String server) {
      return new Hit(server, Recorder.now());
    }
  }
}
