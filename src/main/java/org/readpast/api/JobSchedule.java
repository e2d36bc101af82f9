package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes a schedule that is defined while the application runs: when it fires, and the job that
 * it enqueues. A schedule is immutable; each method that sets a value returns a changed copy. The
 * annotation {@link Scheduled} explains the values.
 *
 * <pre>{@code
 * schedules.define(
 *     JobSchedule.cron("report." + customer.id(), "0 6 * * MON", new BuildReport(customer.id()))
 *         .zone(customer.timeZone()));
 * }</pre>
 */
public final class JobSchedule {
  private final String name;
  private final JobRequest job;
  private final Map<String, String> fields;

  private JobSchedule(String name, Object job, Map<String, String> fields) {
    this.name = name;
    this.job = job instanceof JobRequest request ? request : JobRequest.of(job);
    this.fields = Map.copyOf(fields);
  }

  /**
   * Returns a schedule that fires at times of the wall clock, as specified by a cron expression.
   *
   * @param name the name, which is unique across all applications: up to 100 letters, digits and
   *     {@code . _ -}
   * @param expression a cron expression of five fields, or a name such as {@code @daily}
   * @param job a payload, or a {@link JobRequest} with no headers other than queue and priority
   */
  public static JobSchedule cron(String name, String expression, Object job) {
    return new JobSchedule(name, job, Map.of("cron", expression));
  }

  /**
   * Returns a schedule that fires once on each local date.
   *
   * @param name as for {@link #cron}
   * @param time a local time such as {@code 02:30} or {@code 02:30:15}
   * @param job as for {@link #cron}
   */
  public static JobSchedule daily(String name, String time, Object job) {
    return new JobSchedule(name, job, Map.of("daily", time));
  }

  /**
   * Returns a schedule that fires whenever a fixed time has elapsed.
   *
   * @param name as for {@link #cron}
   * @param interval the time between two runs, one second or more
   * @param job as for {@link #cron}
   */
  public static JobSchedule every(String name, Duration interval, Object job) {
    return new JobSchedule(name, job, Map.of("every", interval.toString()));
  }

  private JobSchedule with(String field, String value) {
    Map<String, String> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new JobSchedule(name, job, more);
  }

  /** Sets the time zone of {@link #cron} and {@link #daily}; UTC by default. */
  public JobSchedule zone(ZoneId zone) {
    return with("zone", zone.getId());
  }

  /** Sets the first planned time of {@link #every}; 1970-01-01T00:00:00Z by default. */
  public JobSchedule anchor(Instant first) {
    return with("anchor", first.toString());
  }

  /**
   * Specifies what happens to runs that were planned while no node was running; ONCE by default.
   */
  public JobSchedule catchUp(CatchUp policy) {
    return with("catchUp", policy.name());
  }

  /**
   * Sets the maximum number of jobs that {@link CatchUp#ALL} enqueues, from 1 to 10,000; 100 by
   * default.
   */
  public JobSchedule catchUpCap(int most) {
    return with("catchUpCap", String.valueOf(most));
  }

  /** Specifies what happens while the job of the previous run is still live; ALLOW by default. */
  public JobSchedule overlap(Overlap policy) {
    return with("overlap", policy.name());
  }

  /**
   * Sets how long after the planned time the job may start, from PT1S to P36500D; after that, the
   * job expires.
   */
  public JobSchedule latestStart(Duration window) {
    return with("latestStart", window.toString());
  }

  /** Returns the name of the schedule. */
  public String name() {
    return name;
  }

  /** Returns the job that the schedule enqueues. */
  public JobRequest job() {
    return job;
  }

  /**
   * Returns when and how the schedule fires, with the names of the REST API such as {@code cron}
   * and {@code zone}.
   */
  public Map<String, String> fields() {
    return fields;
  }
}
