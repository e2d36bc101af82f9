package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What happens when an attempt fails; on a {@link JobHandler} class or a {@link Handles} method.
 *
 * <p>Configuration wins: {@code readpast.type."t".max-attempts}, {@code .backoff}, {@code .delay},
 * {@code .max-delay}, {@code .jitter}, {@code .abort-on}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Retries {
  /** How often a job is tried before it is DISCARDED, or {@link JobRequest#UNLIMITED}. */
  int maxAttempts() default 5;

  /** How the pause grows. */
  Backoff backoff() default Backoff.EXPONENTIAL;

  /** The first pause, ISO-8601. */
  String delay() default "PT1S";

  /** The longest pause, ISO-8601. */
  String maxDelay() default "PT1H";

  /** Random share by which a pause is stretched or shortened, 0 to 1. */
  double jitter() default 0.2;

  /** Exceptions (or causes) that discard the job at once. */
  Class<? extends Throwable>[] abortOn() default {};
}
