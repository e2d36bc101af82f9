package org.readpast.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Selects the live jobs of a queue to browse. A selection is immutable; each method that sets a
 * value returns a changed copy.
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

  /** Returns a selection of the first hundred jobs of any kind. */
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

  /** Selects only jobs of the given types. */
  public JobSelection types(String... names) {
    return with(copy -> copy.types = List.of(names));
  }

  /** Selects only jobs in the given state. */
  public JobSelection state(JobState value) {
    return with(copy -> copy.state = value);
  }

  /** Selects only jobs with this correlation id. */
  public JobSelection correlationId(String value) {
    return with(copy -> copy.correlationId = value);
  }

  /** Selects only jobs with this property; if called more than once, all properties must match. */
  public JobSelection property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return with(copy -> copy.properties = Map.copyOf(more));
  }

  /** Selects the next page, which begins after the job with this id. */
  public JobSelection startAfter(Job job) {
    return with(copy -> copy.startAfter = job.id());
  }

  /**
   * Sets the maximum number of jobs; 100 by default. The payloads of all of these jobs are in
   * memory at once, so specify a low number if they are large.
   *
   * @throws JobRejectedException if the number is not between 1 and 1,000
   */
  public JobSelection limit(int value) {
    if (value < 1 || value > MOST) {
      throw new JobRejectedException("limit is " + value + "; specify 1 to " + MOST);
    }
    return with(copy -> copy.limit = value);
  }

  /** Returns the names of the job types; empty for any type. */
  public List<String> types() {
    return types;
  }

  /** Returns the state; null for any state. */
  public @Nullable JobState state() {
    return state;
  }

  /** Returns the correlation id; null for any. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  /** Returns the properties that a job must have; empty for any job. */
  public Map<String, String> properties() {
    return properties;
  }

  /** Returns the id after which the page starts; 0 for the first page. */
  public long startAfter() {
    return startAfter;
  }

  /** Returns the maximum number of jobs. */
  public int limit() {
    return limit;
  }
}
