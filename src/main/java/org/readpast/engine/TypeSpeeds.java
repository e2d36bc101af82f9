package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;
import org.readpast.store.Claims;

/**
 * Tracks how long jobs of each type have taken recently, to determine how many jobs a claim leases.
 */
final class TypeSpeeds {
  /** Limits the total duration of the jobs that one claim leases. */
  static final Duration SPAN = Duration.ofMillis(100);

  // If jobs are slow, a claim costs little in comparison. Slow jobs are leased one by one, or a few
  // at a time, so that they spread over the receivers.
  private static final long SLOW_NANOS = Duration.ofMillis(5).toNanos();
  private static final int SLOW_COST = 5;
  private static final double WEIGHT_OF_LAST = 0.3;

  private final ToIntFunction<String> jobsPerTransaction;
  private final Map<String, Double> nanos = new ConcurrentHashMap<>();

  /**
   * @param jobsPerTransaction returns how many jobs of a type share a transaction; that number of
   *     jobs is leased at a time, regardless of how long they take
   */
  TypeSpeeds(ToIntFunction<String> jobsPerTransaction) {
    this.jobsPerTransaction = jobsPerTransaction;
  }

  /**
   * Returns the part of {@link #SPAN} that a job of the type takes, or all of {@code SPAN} if the
   * speed is unknown.
   */
  long costNanos(String type) {
    double one = nanos.getOrDefault(type, (double) SPAN.toNanos());
    double cost = one < SLOW_NANOS ? one : SLOW_COST * one;
    int together = jobsPerTransaction.applyAsInt(type);
    double most = together > 1 ? (double) SPAN.toNanos() / together : cost;
    return (long) Math.max(1, Math.min(cost, most));
  }

  /**
   * Returns the maximum number of jobs that a claim leases, which is that of the fastest given
   * type.
   */
  int prefetch(Collection<String> types) {
    long fastest = types.stream().mapToLong(this::costNanos).min().orElse(SPAN.toNanos());
    return (int) Math.max(1, Math.min(Claims.MOST, SPAN.toNanos() / fastest));
  }

  /** Records how long a number of jobs of a type took, one after the other. */
  void ran(String type, long tookNanos, int jobs) {
    double one = Math.max(1.0, (double) tookNanos / jobs);
    nanos.merge(
        type,
        one * WEIGHT_OF_LAST + SPAN.toNanos() * (1 - WEIGHT_OF_LAST),
        (old, first) -> old + WEIGHT_OF_LAST * (one - old));
  }

  /** Forgets all speeds, because claims may have leased too many jobs at a time. */
  void forget() {
    nanos.clear();
  }
}
