package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes each call of a CDI bean's method a job: the call enqueues the job in the caller's
 * transaction and returns, and a worker calls the method itself later. The method therefore runs if
 * and only if the caller's transaction commits.
 *
 * <p>The method must be {@code public void method(...)}, neither final nor static, of a CDI bean
 * that is not an EJB and neither session-scoped nor conversation-scoped. The arguments are stored
 * as a JSON array. JSON Binding must be able to write and read each argument: numbers, strings,
 * times, enums, records, beans, and lists and maps of these. An argument of type {@link JobContext}
 * is not stored: callers pass null, and the worker passes the context of the job. A method that
 * breaks a rule of {@code @Background} stops the deployment. The method may throw any exception;
 * the caller does not see it. {@link Receive} and {@link Retries} apply as they do to handlers.
 *
 * <p>Only calls through CDI are intercepted. {@code this.method(...)} within the bean runs
 * immediately, as does a call on an object that was created with {@code new} or by a producer.
 * Other interceptors of the method, and a transaction that it declares, take effect when the worker
 * runs the method, not when the caller calls it.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Background {
  /**
   * Specifies the job type, as in {@link JobType#value()}. The default is {@code
   * <owner>~<full.class.Name>.<method>}, such as {@code shop~org.acme.mail.Mailer.send} or, in an
   * EAR, {@code bank~web~org.acme.mail.Mailer.send}; no other application handles this type.
   * Waiting jobs identify their method only by the job type, so set it if the application, class or
   * method may be renamed.
   */
  String type() default "";

  /** Specifies the queue of the jobs. */
  String queue() default "default";

  /** Specifies the priority of the jobs, from 0 (lowest) to 9 (highest). */
  int priority() default JobRequest.DEFAULT_PRIORITY;
}
