package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a CDI bean the handler of the job type that its first parameter bears.
 *
 * <p>Shape: {@code void} or {@link JobResult} {@code method(Payload)} or {@code method(Payload,
 * JobContext)}; not private, not static. It may throw anything.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Handles {}
