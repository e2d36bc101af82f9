package org.readpast.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the known name that a user may have meant by a mistyped name. */
public final class Suggestion {
  private Suggestion() {}

  /** Returns the known name that is closest to the given one, or null if none is close. */
  public static @Nullable String of(String given, Stream<String> known) {
    Map<Integer, String> byDistance =
        known.collect(
            Collectors.toMap(
                name -> distance(given, name), name -> name, (one, other) -> one, TreeMap::new));
    return byDistance.entrySet().stream()
        .findFirst()
        .filter(best -> best.getKey() <= 1 + given.length() / 6)
        .map(Map.Entry::getValue)
        .orElse(null);
  }

  /**
   * Returns the number of characters that have to be changed, added or removed to turn one name
   * into the other.
   */
  private static int distance(String from, String to) {
    List<Integer> before = new ArrayList<>();
    for (int j = 0; j <= to.length(); j++) {
      before.add(j);
    }
    for (int i = 1; i <= from.length(); i++) {
      List<Integer> row = new ArrayList<>();
      row.add(i);
      for (int j = 1; j <= to.length(); j++) {
        int same = before.get(j - 1) + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row.add(Math.min(same, 1 + Math.min(before.get(j), row.get(j - 1))));
      }
      before = row;
    }
    return before.get(to.length());
  }
}
