package org.readpast.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which live jobs of a queue to browse. Immutable; each method that takes a value returns a changed
 * copy.
 *
 * <pre>{@code
 * jobs.browse("mail", JobSelection.all().types("invoice.send").property("customer", "42").limit(20));
 * }</pre>
 */
public final class JobSelection {
  private static final JobSelection ALL = new JobSelection();
  private static final int MOST = 1_000;

  private List<String> types = List.of();
  private @Nullable JobState state;
  private @Nullable String correlationId;
  private Map<String, String> properties = Map.of();
  private long startAfter;
  private int limit = 100;

  private JobSelection() {}

  /** The first hundred. */
  public static JobSelection all() {
    return ALL;
  }

  private JobSelection with(Consumer<JobSelection> change) {
    JobSelection copy = new JobSelection();
    copy.types = types;
    copy.state = state;
    copy.correlationId = correlationId;
    copy.properties = properties;
    copy.startAfter = startAfter;
    copy.limit = limit;
    change.accept(copy);
    return copy;
  }

  /** Of these types only. */
  public JobSelection types(String... names) {
    return with(copy -> copy.types = List.of(names));
  }

  /** In this state only. */
  public JobSelection state(JobState value) {
    return with(copy -> copy.state = value);
  }

  /** With this correlation id only. */
  public JobSelection correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /** With this property only; several must all match. */
  public JobSelection property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return with(copy -> copy.properties = Map.copyOf(more));
  }

  /** The next page: jobs that come after this one in the order of their ids. */
  public JobSelection startAfter(Job job) {
    return with(copy -> copy.startAfter = job.id());
  }

  /**
   * At most this many.
   *
   * @throws JobRejectedException unless it is from 1 to 1,000
   */
  public JobSelection limit(int value) {
    if (value < 1 || value > MOST) {
      throw new JobRejectedException("limit is " + value + "; give 1 to " + MOST);
    }
    return with(copy -> copy.limit = value);
  }

  /** Empty: any. */
  public List<String> types() {
    return types;
  }

  /** Null: any. */
  public @Nullable JobState state() {
    return state;
  }

  /** Null: any. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  /** The properties that a job must have. */
  public Map<String, String> properties() {
    return properties;
  }

  /** Only jobs with higher ids; 0: all. */
  public long startAfter() {
    return startAfter;
  }

  /** The maximum number of jobs. */
  public int limit() {
    return limit;
  }
}
