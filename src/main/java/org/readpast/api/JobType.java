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
 * letters, digits and {@code . _ -}. The version is stored with it: a node claims only jobs of
 * versions and names that it can read.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface JobType {
  /** The registered name, e.g. {@code invoice.send}. */
  String value();

  /** The queue used when a request names none. */
  String queue() default "default";

  /**
   * The version of the payload, 1 to 9,999. Increase it when nodes that still run the old version
   * cannot read the new payload. Jobs of older versions are read through {@link Upcasts} methods;
   * without such methods they are left to nodes of those versions.
   */
  int version() default 1;

  /**
   * Other names under which jobs of this type are stored, such as the name that the type had before
   * it was renamed. Jobs stored under an alias are worked in the same versions; none are enqueued
   * under it unless a caller names it.
   */
  String[] aliases() default {};
}
