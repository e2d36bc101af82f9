package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a CDI bean the handler of the job type that its first parameter bears, or that
 * it bears itself if it takes the payload as it is, as {@code byte[]} or {@code String}.
 *
 * <p>Shape: {@code method(Payload)} or {@code method(Payload, JobContext)}; not private, not
 * static. It may throw anything, and return {@code void}, a {@link JobResult}, or anything else:
 * that is the job's result, as by {@link JobResult#done(Object)}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Handles {}
