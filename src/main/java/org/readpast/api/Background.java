package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes each call of a CDI bean's method a job: the call enqueues it in the caller's transaction
 * and returns, a worker calls the method itself. So the method runs if and only if that transaction
 * commits.
 *
 * <p>Shape: {@code public void method(...)}, not final, not static, of a CDI bean that is no EJB
 * and not of a session's or conversation's scope. The arguments are kept as a JSON array; each must
 * be of a type that JSON Binding can write and read again: numbers, texts, moments, enums, records,
 * beans, lists and maps of these. A parameter of type {@link JobContext} is not kept: callers give
 * null, the worker gives the job's. What breaks this stops the deployment. The method may throw
 * anything, which its caller does not see; {@link Receive} and {@link Retries} say how it is
 * worked, as for handlers.
 *
 * <p>Only calls that go through CDI are intercepted: {@code this.method(...)} within the bean runs
 * at once, like any call of a private method, and so does one on an object that was made by {@code
 * new} or by a producer. Other interceptors of the method run when it is worked, not when it is
 * called; so does a transaction that it declares.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Background {
  /**
   * The job type, as {@link JobType#value()}; empty: {@code <owner>~<full.class.Name>.<method>},
   * such as {@code shop~org.acme.mail.Mailer.send} or, in an EAR, {@code
   * bank~web~org.acme.mail.Mailer.send}, which no other application works. Jobs that wait know
   * their method by this name only: name it where application, class or method may be renamed.
   */
  String type() default "";

  /** The queue. */
  String queue() default "default";

  /** 0 (last) to 9 (first). */
  int priority() default JobRequest.DEFAULT_PRIORITY;
}
