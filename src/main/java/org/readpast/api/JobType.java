package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of job that a payload record stands for.
 *
 * <p>The name, never the class name, is stored with the job and chooses its handler: up to 100
 * letters, digits and {@code . _ -}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface JobType {
  /** The registered name, e.g. {@code invoice.send}. */
  String value();

  /** The queue used when a request names none. */
  String queue() default "default";
}
