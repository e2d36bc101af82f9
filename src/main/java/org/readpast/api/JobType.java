package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Specifies the job type of a payload class. On a {@link JobHandler} class or a {@link Handles}
 * method that takes a {@code byte[]} or a {@code String}, specifies the job type that it handles.
 *
 * <p>The name is stored with the job and selects its handler; the class name is not stored. The
 * version is stored as well: a node claims only jobs whose names and versions it can read.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface JobType {
  /**
   * Specifies the name, such as {@code invoice.send}: up to 100 letters, digits and {@code . _ -}.
   */
  String value();

  /** Specifies the queue of requests that name no queue. */
  String queue() default "default";

  /**
   * Specifies the version of the payload, from 1 to 9,999. Increase it when nodes that still run
   * the old version cannot read the new payload. Jobs of older versions are read through {@link
   * Upcasts} methods; without such methods they are left to nodes of those versions.
   */
  int version() default 1;

  /**
   * Specifies other names under which jobs of this type are stored, such as the name before the
   * type was renamed. A handler reads jobs under an alias in the same versions. A job is enqueued
   * under an alias only if the caller specifies it.
   */
  String[] aliases() default {};
}
