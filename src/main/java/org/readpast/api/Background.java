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
 * <p>Shape: {@code public void method(...)}, not final, not static, of a CDI bean that is not an
 * EJB and not session-scoped or conversation-scoped. The arguments are stored as a JSON array. The
 * type of each must be one that JSON Binding can write and read back: numbers, texts, moments,
 * enums, records, beans, and lists and maps of these. An argument of type {@link JobContext} is not
 * stored: callers pass null, and the worker passes the context of the job. A method that breaks one
 * of these rules stops the deployment. The method may throw any exception; the caller does not see
 * it. {@link Receive} and {@link Retries} apply as to handlers.
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
   * Specifies the job type, as {@link JobType#value()}; if empty, {@code
   * <owner>~<full.class.Name>.<method>}, such as {@code shop~org.acme.mail.Mailer.send} or, in an
   * EAR, {@code bank~web~org.acme.mail.Mailer.send}, which no other application handles. Waiting
   * jobs identify their method only by this name, so set it if the application, class or method may
   * be renamed.
   */
  String type() default "";

  /** Specifies the queue. */
  String queue() default "default";

  /** Specifies the priority, 0 (last) to 9 (first). */
  int priority() default JobRequest.DEFAULT_PRIORITY;
}
