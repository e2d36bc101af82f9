package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * How jobs of a handler's type are received; on a {@link JobHandler} class or a {@link Handles}
 * method.
 *
 * <p>Configuration wins: {@code readpast.queue."q".mode} over {@code readpast.type."t".mode} over
 * this.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Receive {
  /** One transaction around everything, or a lease. */
  ReceiveMode value() default ReceiveMode.TRANSACTIONAL;

  /** How long one attempt may take, ISO-8601; empty: 60 s TRANSACTIONAL, 10 min LEASED. */
  String timeout() default "";

  /**
   * How many jobs one transaction may receive, work and end: 1 to 100. Several share the cost of a
   * commit; and its fate: when one of them fails, the work of all is rolled back, its attempt alone
   * is counted, and the others are worked again. Only in mode TRANSACTIONAL.
   */
  int jobsPerTransaction() default 1;

  /** What becomes of a running handler when its lease is lost. Only in mode LEASED. */
  OnLostLease onLostLease() default OnLostLease.CONTINUE;
}
