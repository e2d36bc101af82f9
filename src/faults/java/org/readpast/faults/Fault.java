package org.readpast.faults;

import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes a fault that is injected, and repaired before the call returns.
 *
 * @param weight how often the fault occurs in a long run, relative to other faults
 * @param possible the clusters in which the fault can occur
 */
record Fault(String kind, int weight, Predicate<Cluster> possible, Happening happening) {
  /** Injects and repairs the fault, and returns its target. */
  @FunctionalInterface
  interface Happening {
    Hit happen(Cluster cluster, Random dice) throws Exception;
  }

  /**
   * Identifies the target of a fault.
   *
   * @param server the server, or null for all servers or the database
   * @param since when an earlier fault ended that delayed the current fault, or null for the start
   *     of the injection
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
