package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a CDI bean the handler of a job type. The class of its first parameter is
 * annotated with {@link JobType}; if the method takes a {@code byte[]} or {@code String}, it
 * receives the payload as it is, and must have the annotation itself.
 *
 * <p>The method has the form {@code method(Payload)} or {@code method(Payload, JobContext)}, and is
 * neither private nor static. The method may throw any exception. The handler method may return
 * {@code void}, a {@link JobResult}, or any other value, which becomes the job's result as with
 * {@link JobResult#done(Object)}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Handles {}
