package org.readpast.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.CatchUp;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobRequest;
import org.readpast.api.Overlap;

/**
 * A stored search whose results become jobs, checked against every rule that needs no database.
 *
 * @param search a query; its first column is the object's key, all columns are the job's payload
 * @param dataSource where it searches; null: where the queue is
 * @param type of the jobs
 * @param computation type of a job that runs first; the job of {@code type} follows it when it has
 *     ended well. Null: none
 * @param schedule when it is filled, as {@link Timing#parse} reads it; null: on demand
 * @param enabled whether it may be filled
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

  /** The name of the schedule that fills it. */
  public static String scheduleName(String rule) {
    return SCHEDULE + rule;
  }

  /** The rule that a schedule of this name would fill; null: none. */
  public static @Nullable String ofSchedule(String name) {
    return name.startsWith(SCHEDULE) ? name.substring(SCHEDULE.length()) : null;
  }

  /** The schedule that fills it by jobs of this type and queue; null: none. */
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

  /** What the unique keys of its jobs begin with; the object's key follows. */
  public String keyPrefix() {
    return "rule:" + name + ":";
  }

  /** The types of all jobs that it makes. */
  public Set<String> types() {
    return computation == null ? Set.of(type) : Set.copyOf(List.of(type, computation));
  }

  /** The type of the job that an object begins with. */
  public String firstType() {
    return computation == null ? type : computation;
  }

  /** The properties of that job, as JSON; null: none. */
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
