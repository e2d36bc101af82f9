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
}
