package org.readpast.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How the audit says what was before a deed and what is after it. */
final class Changes {
  private Changes() {}

  /** {@code {"from": …, "to": …}}. */
  static Map<String, @Nullable Object> fromTo(@Nullable Object from, @Nullable Object to) {
    Map<String, @Nullable Object> change = new LinkedHashMap<>();
    change.put("from", from);
    change.put("to", to);
    return change;
  }

  /**
   * {@link #fromTo} of each field that differs.
   *
   * @param before null: there was nothing
   * @param after null: there is nothing any more
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

  /** Adds counts to counts. */
  static Map<String, Integer> sum(Map<String, Integer> some, Map<String, Integer> more) {
    Map<String, Integer> all = new TreeMap<>(some);
    more.forEach((what, count) -> all.merge(what, count, Integer::sum));
    return all;
  }

  /** How many there are in all. */
  static int total(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }
}
