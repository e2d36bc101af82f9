package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of job that a payload record stands for; or, on a {@link JobHandler} class or a
 * {@link Handles} method that takes a {@code byte[]} or a {@code String}, the type of job that it
 * handles.
 *
 * <p>The name, never the class name, is stored with the job and chooses its handler: up to 100
 * letters, digits and {@code . _ -}.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface JobType {
  /** The registered name, e.g. {@code invoice.send}. */
  String value();

  /** The queue used when a request names none. */
  String queue() default "default";
}
