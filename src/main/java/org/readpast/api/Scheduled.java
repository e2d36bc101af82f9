package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues a job for a method of a CDI bean at planned times: exactly one job for each planned time
 * across all nodes, by the database's clock.
 *
 * <p>The method is a {@link Handles} method, {@link JobHandler#handle}, or has the form {@code ()}
 * or {@code (JobContext)} and returns {@code void} or a {@link JobResult}; it is neither private
 * nor static. A method of the last form is a handler without a payload; {@link Receive} and {@link
 * Retries} apply to it as to any other handler. Set exactly one of {@link #cron()}, {@link
 * #daily()} and {@link #every()}.
 *
 * <p><b>Cron</b> has five fields: minute (0-59), hour (0-23), day of month (1-31), month (1-12 or
 * JAN-DEC), day of week (0-7 or SUN-SAT; 0 and 7 are Sunday). A field is a comma-separated list of
 * values, ranges ({@code MON-FRI}), {@code *}, and ranges or {@code *} with a step ({@code
 * 8-18/2}). If both day fields are restricted (neither begins with {@code *}), a day has to match
 * only one of them. {@code @hourly}, {@code @daily}, {@code @weekly} (Sunday), {@code @monthly} and
 * {@code @yearly} stand for the usual five fields. A day of the month that does not occur in any of
 * the given months is refused.
 *
 * <p><b>Clock changes.</b> A cron expression whose hour field is {@code *} follows elapsed time: it
 * fires in every minute in which the wall clock matches, so {@code 0 * * * *} fires 25 times on the
 * day of the autumn change and 23 times on that of the spring change. With any other hour field,
 * and with {@link #daily()}, each planned local time fires exactly once. A time that the spring
 * change skips fires at the first instant after the gap; several such times are combined into one.
 * A time that occurs twice because of the autumn change fires only the first time.
 *
 * <p>A method may have several schedules; each of them then needs a {@link #name()}. Each job has
 * two properties: {@code readpast.schedule}, the name of the schedule, and {@code
 * readpast.planned-at}, the planned time in ISO-8601. A handler that computes something for a day
 * should use the date of the planned time, not the time at which the job happens to run.
 *
 * <p>Configuration such as {@code readpast.schedule."name".cron} takes precedence. A schedule that
 * an operator has disabled stays disabled.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Scheduled.List.class)
public @interface Scheduled {
  /** Contains several schedules of one method. */
  @Documented
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface List {
    /** Returns the schedules, each with its own name. */
    Scheduled[] value();
  }

  /**
   * Specifies the name: up to 100 letters, digits and {@code . _ -}, unique across all
   * applications. If empty, the name is {@code <owner>~<full.class.Name>.<method>}, such as {@code
   * shop~org.acme.Payroll.nightly} or, in an EAR, {@code bank~web~org.acme.Payroll.nightly}.
   */
  String name() default "";

  /** Specifies a cron expression: five fields or a name such as {@code @daily}. */
  String cron() default "";

  /**
   * Specifies a local time, {@code 02:30} or {@code 02:30:15}, that fires once on each local date.
   */
  String daily() default "";

  /**
   * Specifies a fixed interval of elapsed time as an ISO-8601 duration, one second or more; a day
   * is 24 hours.
   */
  String every() default "";

  /**
   * Specifies the first planned time of {@link #every()}, in ISO-8601; if empty,
   * 1970-01-01T00:00:00Z.
   */
  String anchor() default "";

  /**
   * Specifies the time zone of {@link #cron()} and {@link #daily()}, such as {@code Europe/Berlin}.
   */
  String zone() default "UTC";

  /**
   * Specifies the job type of a method without a payload; if empty, {@code
   * <owner>~<full.class.Name>.<method>}, which no other application handles.
   */
  String type() default "";

  /** Specifies the queue; if empty, the queue of the job type, or {@code default}. */
  String queue() default "";

  /** Specifies the priority of the jobs, from 0 (lowest) to 9 (highest). */
  int priority() default JobRequest.DEFAULT_PRIORITY;

  /** Specifies the payload that a {@link Handles} method receives, as JSON. */
  String payload() default "{}";

  /** Specifies what happens to runs that were planned while no live node declared the schedule. */
  CatchUp catchUp() default CatchUp.ONCE;

  /** Specifies the maximum number of jobs that {@link CatchUp#ALL} enqueues, from 1 to 10,000. */
  int catchUpCap() default 100;

  /** Specifies whether a job may start while the job of the previous run is still live. */
  Overlap overlap() default Overlap.ALLOW;

  /**
   * Specifies how long after the planned time a job may still start, as an ISO-8601 duration; after
   * that it ends as EXPIRED. If the value is empty, the job may start at any time. The value should
   * be longer than the timeout of the job type plus one pause between attempts; otherwise a failed
   * first attempt may leave no time for a second one.
   */
  String latestStart() default "";
}
