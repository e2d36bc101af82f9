package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.readpast.store.Claims;

/** Tracks how long jobs of each type have taken lately, to size claims. */
final class TypeSpeeds {
  /** The work that one claim is for. */
  static final Duration SPAN = Duration.ofMillis(100);

  // A claim of slower jobs costs little beside the work: leased one by one or a few at a time they
  // spread over the receivers.
  private static final long SLOW_NANOS = Duration.ofMillis(5).toNanos();
  private static final int SLOW_COST = 5;
  private static final double WEIGHT_OF_LAST = 0.3;

  private final ToIntFunction<String> jobsPerTransaction;
  private final Map<String, Double> nanos = new ConcurrentHashMap<>();

  /**
   * @param jobsPerTransaction of a type: as many are leased at a time, whatever they take
   */
  TypeSpeeds(ToIntFunction<String> jobsPerTransaction) {
    this.jobsPerTransaction = jobsPerTransaction;
  }

  /** What a job of the type costs of {@link #SPAN}; all of it while its speed is unknown. */
  long costNanos(String type) {
    double one = nanos.getOrDefault(type, (double) SPAN.toNanos());
    double cost = one < SLOW_NANOS ? one : SLOW_COST * one;
    int together = jobsPerTransaction.applyAsInt(type);
    double most = together > 1 ? (double) SPAN.toNanos() / together : cost;
    return (long) Math.max(1, Math.min(cost, most));
  }

  /** How many jobs of these types a claim leases at most: so many of the fastest. */
  int prefetch(Collection<String> types) {
    long fastest = types.stream().mapToLong(this::costNanos).min().orElse(SPAN.toNanos());
    return (int) Math.max(1, Math.min(Claims.MOST, SPAN.toNanos() / fastest));
  }

  /** Takes note of how long jobs of a type took, one after the other. */
  void ran(String type, long tookNanos, int jobs) {
    double one = Math.max(1.0, (double) tookNanos / jobs);
    nanos.merge(
        type,
        one * WEIGHT_OF_LAST + SPAN.toNanos() * (1 - WEIGHT_OF_LAST),
        (old, first) -> old + WEIGHT_OF_LAST * (one - old));
  }

  /** Forgets all: what was leased at a time may have been too much. */
  void forget() {
    nanos.clear();
  }
}
