package org.readpast.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues a job for a method of a CDI bean at planned moments: exactly one for each moment, over
 * all nodes, by the database's clock.
 *
 * <p>Shape: a {@link Handles} method, {@link JobHandler#handle}, or a method {@code ()} or {@code
 * (JobContext)} that is {@code void} or gives a {@link JobResult}; not private, not static. The
 * second kind is a handler without a payload; {@link Receive} and {@link Retries} say of it what
 * they say of any other. Give just one of {@link #cron()}, {@link #daily()} and {@link #every()}.
 *
 * <p><b>Cron</b> has five fields: minute (0-59), hour (0-23), day of month (1-31), month (1-12 or
 * JAN-DEC), day of week (0-7 or SUN-SAT; 0 and 7 are Sunday). A field is a list, separated by
 * commas, of values, ranges ({@code MON-FRI}), {@code *}, and ranges or {@code *} with a step
 * ({@code 8-18/2}). Where both day fields are given (neither begins with {@code *}), a day that
 * fits one of them is enough. {@code @hourly}, {@code @daily}, {@code @weekly} (Sunday),
 * {@code @monthly} and {@code @yearly} stand for the usual five fields. A day of month that comes
 * in none of the months is refused.
 *
 * <p><b>When the clocks change.</b> A cron whose hour field is {@code *} follows the time that
 * passes: every minute whose wall-clock reading fits counts, so that {@code 0 * * * *} fires 25
 * times on the autumn day and 23 times on the spring day. With any other hour field, and with
 * {@link #daily()}, each planned local time fires exactly once: one that the spring gap leaves out
 * fires at the first moment after the gap (several of them fall together into one), one that the
 * autumn overlap repeats fires at its first occurrence only.
 *
 * <p>A method may have several schedules; each of them then needs a {@link #name()}. Each job has
 * the property {@code readpast.schedule}, the schedule's name, and {@code readpast.planned-at}, the
 * planned moment in ISO-8601: what a handler computes for a day it computes for that moment,
 * whenever the job runs.
 *
 * <p>Configuration wins: {@code readpast.schedule."name".cron} and so on. What an operator has
 * disabled stays disabled.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Scheduled.List.class)
public @interface Scheduled {
  /** Several schedules of one method. */
  @Documented
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface List {
    /** The schedules, each with a name of its own. */
    Scheduled[] value();
  }

  /**
   * Up to 100 letters, digits and {@code . _ -}, shared by all applications; empty: {@code
   * <owner>~<full.class.Name>.<method>}, such as {@code shop~org.acme.Payroll.nightly} or, in an
   * EAR, {@code bank~web~org.acme.Payroll.nightly}.
   */
  String name() default "";

  /** Five fields or a name such as {@code @daily}. */
  String cron() default "";

  /** A local time, once on each local date: {@code 02:30} or {@code 02:30:15}. */
  String daily() default "";

  /** A fixed interval of elapsed time, ISO-8601, a second or more; a day is 24 hours. */
  String every() default "";

  /** The first moment of {@link #every()}, ISO-8601; empty: 1970-01-01T00:00:00Z. */
  String anchor() default "";

  /** The time zone of {@link #cron()} and {@link #daily()}, such as {@code Europe/Berlin}. */
  String zone() default "UTC";

  /**
   * The job type of a method without a payload; empty: {@code <owner>~<full.class.Name>.<method>},
   * which no other application works.
   */
  String type() default "";

  /** The queue; empty: that of the job type, or {@code default}. */
  String queue() default "";

  /** 0 to 9, as of any job. */
  int priority() default JobRequest.DEFAULT_PRIORITY;

  /** The payload that a {@link Handles} method gets, as JSON. */
  String payload() default "{}";

  /** What becomes of moments at which no live node declared the schedule. */
  CatchUp catchUp() default CatchUp.ONCE;

  /** Most jobs that {@link CatchUp#ALL} makes at once, 1 to 10,000. */
  int catchUpCap() default 100;

  /** Whether a job may begin beside that of the run before. */
  Overlap overlap() default Overlap.ALLOW;

  /**
   * How long after the planned moment a job may still start, ISO-8601; later it ends as EXPIRED.
   * Empty: any time. It should be longer than the type's timeout and one pause between attempts, or
   * a failed first attempt may leave no time for a second.
   */
  String latestStart() default "";
}
