package org.readpast.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A schedule as it was when it was found; it does not change afterwards. */
public interface ScheduleStatus {
  /** Returns its name. */
  String name();

  /** Returns when it fires, such as {@code cron 0 6 * * MON} or {@code every PT15M}. */
  String timing();

  /** Returns its time zone. */
  String zone();

  /** Returns the type of the jobs that it enqueues. */
  String type();

  /** Returns the queue that they go to. */
  String queue();

  /** Returns false if an operator or application has disabled it. */
  boolean enabled();

  /** Returns its next planned moment; null while it is disabled. */
  @Nullable Instant nextAt();

  /** Returns the id of the job of its latest run; null if it has not fired. */
  @Nullable Long lastJob();
}
