package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Specifies what happens when an attempt fails, on a {@link JobHandler} class or a {@link Handles}
 * method.
 *
 * <p>Configuration takes precedence: {@code readpast.type."t".max-attempts}, {@code .backoff},
 * {@code .delay}, {@code .max-delay}, {@code .jitter}, {@code .abort-on}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Retries {
  /**
   * Specifies how often a job is attempted before it is DISCARDED, or {@link JobRequest#UNLIMITED}.
   */
  int maxAttempts() default 5;

  /** Specifies how the pause grows from one attempt to the next. */
  Backoff backoff() default Backoff.EXPONENTIAL;

  /** Specifies the first pause, as an ISO-8601 duration. */
  String delay() default "PT1S";

  /** Specifies the longest pause, as an ISO-8601 duration. */
  String maxDelay() default "PT1H";

  /** Specifies the fraction, from 0 to 1, by which a pause is randomly lengthened or shortened. */
  double jitter() default 0.2;

  /**
   * Specifies exceptions that discard the job immediately, even if they are only the cause of
   * another exception.
   */
  Class<? extends Throwable>[] abortOn() default {};
}
