package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes the values before and after a change for the audit. */
final class Changes {
  private Changes() {}

  /** Returns {@code {"from": …, "to": …}} for two values. */
  static Map<String, @Nullable Object> fromTo(@Nullable Object from, @Nullable Object to) {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("from", from);
    change.put("to", to);
    return change;
  }

  /**
   * Returns the old and new values of each field that differs, as {@link #fromTo}.
   *
   * @param before the fields before the change, or null if the object did not exist
   * @param after the fields after the change, or null if the object was deleted
   */
  static Map<String, Object> between(
      @Nullable Map<String, ? extends @Nullable Object> before,
      @Nullable Map<String, ? extends @Nullable Object> after) {
    Map<String, Object> changes = new LinkedHashMap<>();
    for (String field : Objects.requireNonNull(after == null ? before : after).keySet()) {
      Object from = before == null ? null : before.get(field);
      Object to = after == null ? null : after.get(field);
      if (!Objects.equals(from, to)) {
        changes.put(field, fromTo(from, to));
      }
    }
    return changes;
  }

  /** Adds two sets of counts. */
  static Map<String, Integer> sum(Map<String, Integer> some, Map<String, Integer> more) {
    Map<String, Integer> all = new TreeMap<>(some);
    more.forEach((what, count) -> all.merge(what, count, Integer::sum));
    return all;
  }

  /** Returns the sum of all counts. */
  static int total(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
