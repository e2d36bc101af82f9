package org.readpast.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Represents a schedule at the time at which it was found. The values of the object do not change
 * afterwards.
 */
public interface ScheduleStatus {
  /** Returns the name of the schedule. */
  String name();

  /**
   * Returns the timing of the schedule, such as {@code cron 0 6 * * MON} or {@code every PT15M}.
   */
  String timing();

  /** Returns the time zone of the schedule. */
  String zone();

  /** Returns the type of the jobs that the schedule enqueues. */
  String type();

  /** Returns the queue of the jobs that the schedule enqueues. */
  String queue();

  /** Returns false if an operator or an application has disabled the schedule. */
  boolean enabled();

  /** Returns the next planned time; null while the schedule is disabled. */
  @Nullable Instant nextAt();

  /** Returns the id of the job of the latest run; null if the schedule has never fired. */
  @Nullable Long lastJob();
}
