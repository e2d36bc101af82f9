package org.readpast.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes a schedule to define while the application runs: when it fires, and the job that it
 * enqueues. Immutable; each method that sets a value returns a changed copy. {@link Scheduled}
 * explains the values.
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
   * Returns a schedule that fires by the wall clock.
   *
   * @param name up to 100 letters, digits and {@code . _ -}, unique across all applications
   * @param expression five fields, or a name such as {@code @daily}
   * @param job a payload, or a {@link JobRequest} with no headers other than queue and priority
   */
  public static JobSchedule cron(String name, String expression, Object job) {
    return new JobSchedule(name, job, Map.of("cron", expression));
  }

  /**
   * Returns a schedule that fires once on each local date.
   *
   * @param name as for {@link #cron}
   * @param time a local time: {@code 02:30} or {@code 02:30:15}
   * @param job as for {@link #cron}
   */
  public static JobSchedule daily(String name, String time, Object job) {
    return new JobSchedule(name, job, Map.of("daily", time));
  }

  /**
   * Returns a schedule that fires at a fixed interval of elapsed time.
   *
   * @param name as for {@link #cron}
   * @param interval one second or more
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

  /** Sets the first moment of {@link #every}; 1970-01-01T00:00:00Z by default. */
  public JobSchedule anchor(Instant first) {
    return with("anchor", first.toString());
  }

  /** Sets what happens to planned moments at which no node ran; ONCE by default. */
  public JobSchedule catchUp(CatchUp policy) {
    return with("catchUp", policy.name());
  }

  /**
   * Sets the maximum number of jobs that {@link CatchUp#ALL} enqueues together, 1 to 10,000; 100 by
   * default.
   */
  public JobSchedule catchUpCap(int most) {
    return with("catchUpCap", String.valueOf(most));
  }

  /** Sets what happens while the job of the previous run is still live; ALLOW by default. */
  public JobSchedule overlap(Overlap policy) {
    return with("overlap", policy.name());
  }

  /**
   * Sets how long after the planned moment the job may start, PT1S to P36500D; after that it
   * expires.
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
   * Returns when and how the schedule fires, by the names of the REST API: {@code cron}, {@code
   * zone} and so on.
   */
  public Map<String, String> fields() {
    return fields;
  }
}
