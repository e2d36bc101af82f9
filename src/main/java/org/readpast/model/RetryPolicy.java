package org.readpast.model;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Backoff;
import org.readpast.api.JobRequest;
import org.readpast.api.Retries;

/**
 * Defines how often a failed job is retried, and how long the pauses are.
 *
 * @param maxAttempts the maximum number of attempts, or {@link JobRequest#UNLIMITED}
 * @param jitter the fraction of the pause by which it varies, from 0 to 1
 * @param abortOn the names of exception classes that discard the job immediately
 */
public record RetryPolicy(
    int maxAttempts,
    Backoff backoff,
    Duration delay,
    Duration maxDelay,
    double jitter,
    List<String> abortOn) {

  /** Applies unless another policy is defined. */
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(
          5, Backoff.EXPONENTIAL, Duration.ofSeconds(1), Duration.ofHours(1), 0.2, List.of());

  /**
   * Returns the policy of an annotation, or {@link #DEFAULT} for null.
   *
   * @throws IllegalArgumentException if a value breaks a rule
   */
  public static RetryPolicy of(@Nullable Retries retries) {
    if (retries == null) {
      return DEFAULT;
    }
    return new RetryPolicy(
        retries.maxAttempts(),
        retries.backoff(),
        AnnotatedDuration.parse("@Retries(delay", retries.delay()),
        AnnotatedDuration.parse("@Retries(maxDelay", retries.maxDelay()),
        retries.jitter(),
        Arrays.stream(retries.abortOn()).map(Class::getName).toList());
  }

  public RetryPolicy {
    if (maxAttempts != JobRequest.UNLIMITED && maxAttempts < 1) {
      throw new IllegalArgumentException(
          "max attempts is " + maxAttempts + "; specify 1 or more, or unlimited");
    }
    if (delay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException(
          "delay and max delay must not be negative: " + delay + ", " + maxDelay);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException(
          "jitter is " + jitter + "; specify a fraction from 0 to 1");
    }
    abortOn = List.copyOf(abortOn);
  }

  /**
   * Returns the pause after the n-th counted attempt.
   *
   * @param counted the number of the counted attempt, from 1
   * @param random a random number from 0 (inclusive) to 1 (exclusive)
   */
  public Duration pauseAfter(int counted, double random) {
    double millis = delay.toMillis();
    if (backoff == Backoff.EXPONENTIAL) {
      millis *= Math.pow(2, Math.min(Math.max(counted - 1, 0), 62));
    }
    millis = Math.min(millis, maxDelay.toMillis());
    return Duration.ofMillis(Math.round(millis * (1 + jitter * (2 * random - 1))));
  }

  /**
   * Returns true if this exception, one of its superclasses or one of its causes discards the job
   * immediately.
   */
  public boolean abortsOn(Throwable thrown) {
    return !abortOn.isEmpty() && Causes.of(thrown).anyMatch(this::abortsOnClassOf);
  }

  private boolean abortsOnClassOf(Throwable thrown) {
    for (Class<?> c = thrown.getClass(); c != null; c = c.getSuperclass()) {
      if (abortOn.contains(c.getName())) {
        return true;
      }
    }
    return false;
  }
}
