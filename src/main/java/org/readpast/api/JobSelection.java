package org.readpast.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which live jobs of a queue to browse. Immutable; each method that takes a value gives a changed
 * copy.
 *
 * <pre>{@code
 * jobs.browse("mail", JobSelection.all().types("invoice.send").property("customer", "42").limit(20));
 * }</pre>
 *
 * @param types empty: any
 * @param state null: any
 * @param correlationId null: any
 * @param properties those that a job must have
 * @param after ids above this only
 * @param limit at most so many, 1 to 1,000
 */
public record JobSelection(
    List<String> types,
    @Nullable JobState state,
    @Nullable String correlationId,
    Map<String, String> properties,
    long after,
    int limit) {

  private static final int MOST = 1_000;

  public JobSelection {
    types = List.copyOf(types);
    properties = Map.copyOf(properties);
    if (limit < 1 || limit > MOST) {
      throw new JobRejectedException("limit is " + limit + "; give 1 to " + MOST);
    }
  }

  /** The first hundred. */
  public static JobSelection all() {
    return new JobSelection(List.of(), null, null, Map.of(), 0, 100);
  }

  /** Of these types only. */
  public JobSelection types(String... names) {
    return new JobSelection(List.of(names), state, correlationId, properties, after, limit);
  }

  /** In this state only. */
  public JobSelection state(JobState value) {
    return new JobSelection(types, value, correlationId, properties, after, limit);
  }

  /** With this correlation id only. */
  public JobSelection correlationId(String value) {
    return new JobSelection(types, state, value, properties, after, limit);
  }

  /** With this property only. */
  public JobSelection property(String name, String value) {
    Map<String, String> more = new TreeMap<>(properties);
    more.put(name, value);
    return new JobSelection(types, state, correlationId, more, after, limit);
  }

  /** The page behind a job. */
  public JobSelection after(Job job) {
    return new JobSelection(types, state, correlationId, properties, job.id(), limit);
  }

  /** At most so many, up to 1,000. */
  public JobSelection limit(int value) {
    return new JobSelection(types, state, correlationId, properties, after, value);
  }
}
