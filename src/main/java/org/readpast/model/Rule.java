package org.readpast.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.CatchUp;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.Overlap;

/**
 * Represents a stored search whose results become jobs. The definition has been checked against
 * every rule that needs no database.
 *
 * @param search a query; its first column is the object's key, and all columns form the job's
 *     payload
 * @param dataSource the data source of the search, or null for the queue's data source
 * @param type the type of the jobs
 * @param computation the type of a job that runs first and is followed by the job of {@code type}
 *     if it succeeds; null if no job runs first
 * @param schedule when the rule runs, as {@link Timing#parse} reads it; null if it runs only on
 *     demand
 * @param enabled true if the rule may run
 */
public record Rule(
    String name,
    String search,
    @Nullable String dataSource,
    String type,
    String queue,
    int priority,
    @Nullable String computation,
    @Nullable String schedule,
    boolean enabled) {

  /** Names the property of the first job that contains the type of the job that follows it. */
  public static final String THEN = "readpast.then";

  public Rule {
    Names.checkRule(name);
    Names.checkType(type);
    Names.checkQueue(queue);
    if (computation != null) {
      Names.checkType(computation);
    }
    if (priority < 0 || priority > 9) {
      throw new JobRejectedException("priority is " + priority + "; specify 0 (last) to 9 (first)");
    }
    text("datasource", dataSource);
    text("schedule", schedule);
    if (schedule != null) {
      Timing.parse(schedule);
    }
    SqlText.of(search);
  }

  private static final String SCHEDULE = "rule.";

  /** Returns the name of the schedule that runs a rule. */
  public static String scheduleName(String rule) {
    return SCHEDULE + rule;
  }

  /** Returns the name of the rule that a schedule with this name runs, or null if it runs none. */
  public static @Nullable String ofSchedule(String name) {
    return name.startsWith(SCHEDULE) ? name.substring(SCHEDULE.length()) : null;
  }

  /**
   * Returns the schedule that runs the rule by jobs of this type and queue, or null if there is
   * none.
   */
  public @Nullable ScheduleDefinition filling(String jobType, String jobQueue) {
    return schedule == null
        ? null
        : new ScheduleDefinition(
            scheduleName(name),
            Timing.parse(schedule),
            jobType,
            jobQueue,
            JobRequest.DEFAULT_PRIORITY,
            "{\"rule\":\"" + name + "\"}",
            CatchUp.ONCE,
            1,
            Overlap.SKIP,
            null,
            enabled);
  }

  /** Returns a hash of everything except the name; equal definitions have the same hash. */
  public String fingerprint() {
    return ScheduleDefinition.fingerprint(
        search, dataSource, type, queue, priority, computation, schedule, enabled);
  }

  /** Returns the beginning of the unique keys of the rule's jobs; the object's key follows. */
  public String keyPrefix() {
    return "rule:" + name + ":";
  }

  /** Returns the types of all jobs that the rule creates. */
  public Set<String> types() {
    return computation == null ? Set.of(type) : Set.copyOf(List.of(type, computation));
  }

  /** Returns the type of the first job that is enqueued for an object. */
  public String firstType() {
    return computation == null ? type : computation;
  }

  /** Returns the properties of the first job as JSON, or null if there are none. */
  public @Nullable String firstProperties() {
    return computation == null ? null : "{\"" + THEN + "\":\"" + type + "\"}";
  }

  private static void text(String field, @Nullable String value) {
    if (value != null && (value.isEmpty() || value.length() > 255 || !Names.storable(value))) {
      throw new JobRejectedException(
          field
              + " is '"
              + Names.excerpt(value)
              + "'; specify 1 to 255 characters without NUL or lone surrogates");
    }
  }
}
