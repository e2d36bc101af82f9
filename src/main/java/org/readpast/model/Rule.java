package org.readpast.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.CatchUp;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.Overlap;

/**
 * Represents a stored search whose results become jobs, checked against every rule that needs no
 * database.
 *
 * @param search a query; its first column is the object's key, and all columns form the job's
 *     payload
 * @param dataSource the data source of the search; null for the queue's data source
 * @param type the type of the jobs
 * @param computation the type of a job that runs first; the job of {@code type} follows it when it
 *     has succeeded. Null for none
 * @param schedule when the rule is filled, as {@link Timing#parse} reads it; null for on demand
 * @param enabled true if the rule may be filled
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

  /** The property of a computing job that names the type of the job that follows it. */
  public static final String THEN = "readpast.then";

  public Rule {
    Names.checkRule(name);
    Names.checkType(type);
    Names.checkQueue(queue);
    if (computation != null) {
      Names.checkType(computation);
    }
    if (priority < 0 || priority > 9) {
      throw new JobRejectedException("priority is " + priority + "; give 0 (last) to 9 (first)");
    }
    text("datasource", dataSource);
    text("schedule", schedule);
    if (schedule != null) {
      Timing.parse(schedule);
    }
    SqlText.of(search);
  }

  private static final String SCHEDULE = "rule.";

  /** Returns the name of the schedule that fills a rule. */
  public static String scheduleName(String rule) {
    return SCHEDULE + rule;
  }

  /** Returns the rule that a schedule of this name would fill, or null if it would fill none. */
  public static @Nullable String ofSchedule(String name) {
    return name.startsWith(SCHEDULE) ? name.substring(SCHEDULE.length()) : null;
  }

  /**
   * Returns the schedule that fills the rule by jobs of this type and queue, or null if there is
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

  /** Returns the beginning of the unique keys of its jobs; the object's key follows it. */
  public String keyPrefix() {
    return "rule:" + name + ":";
  }

  /** Returns the types of all jobs that the rule creates. */
  public Set<String> types() {
    return computation == null ? Set.of(type) : Set.copyOf(List.of(type, computation));
  }

  /** Returns the type of the first job for an object. */
  public String firstType() {
    return computation == null ? type : computation;
  }

  /** Returns the properties of that job as JSON, or null if there are none. */
  public @Nullable String firstProperties() {
    return computation == null ? null : "{\"" + THEN + "\":\"" + type + "\"}";
  }

  private static void text(String field, @Nullable String value) {
    if (value != null && (value.isEmpty() || value.length() > 255 || !Names.storable(value))) {
      throw new JobRejectedException(
          field
              + " is '"
              + Names.excerpt(value)
              + "'; give 1 to 255 characters without NUL or lone surrogates");
    }
  }
}
