package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Specifies how the jobs of a type are received, on a {@link JobHandler} class or a {@link Handles}
 * method.
 *
 * <p>Configuration takes precedence: {@code readpast.queue."q".mode} overrides {@code
 * readpast.type."t".mode}, which overrides this annotation.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Receive {
  /**
   * Specifies whether the job is completed in one transaction with the handler's work, or
   * acknowledged afterwards.
   */
  ReceiveMode value() default ReceiveMode.TRANSACTIONAL;

  /**
   * Specifies how long one attempt may take, as an ISO-8601 duration; the default is 60 s in mode
   * TRANSACTIONAL and 10 min in mode LEASED.
   */
  String timeout() default "";

  /**
   * Specifies how many jobs one transaction may run and complete, 1 to 100. The jobs of a
   * transaction share the cost of the commit, but also its outcome: if one of them fails, the work
   * of all is rolled back, only the attempt of the failed job is counted, and the others run again.
   * A job that has started before runs alone in its transaction. This setting applies only in mode
   * TRANSACTIONAL.
   */
  int jobsPerTransaction() default 1;

  /**
   * Specifies what happens to a running handler when its lease is lost. This setting applies only
   * in mode LEASED.
   */
  OnLostLease onLostLease() default OnLostLease.CONTINUE;
}
