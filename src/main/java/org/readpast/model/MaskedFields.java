package org.readpast.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects members of payloads and results that only operators see: {@code password} selects members
 * at any depth, {@code card.number} selects a member of the payload's top-level member {@code
 * card}. Arrays are transparent: {@code cards.number} selects a member of each element of {@code
 * cards}.
 */
public final class MaskedFields {
  /** Masks nothing. */
  public static final MaskedFields NONE = new MaskedFields(Set.of(), Map.of());

  private final Set<String> anywhere;
  private final Map<List<String>, String> paths;
  private final int longest;

  private MaskedFields(Set<String> anywhere, Map<List<String>, String> paths) {
    this.anywhere = anywhere;
    this.paths = paths;
    this.longest = paths.keySet().stream().mapToInt(List::size).max().orElse(0);
  }

  /**
   * Parses names and paths that are separated by commas.
   *
   * @throws IllegalArgumentException if a path has an empty part
   */
  public static MaskedFields parse(String list) {
    Set<String> anywhere = new LinkedHashSet<>();
    Map<List<String>, String> paths = new LinkedHashMap<>();
    for (String one : list.split(",")) {
      String entry = one.strip();
      List<String> path = List.of(entry.split("\\.", -1));
      if (entry.isEmpty()) {
        continue;
      }
      if (path.contains("")) {
        throw new IllegalArgumentException(
            "'" + entry + "' has an empty part; specify names, separated by dots");
      }
      if (path.size() == 1) {
        anywhere.add(entry);
      } else {
        paths.put(path, entry);
      }
    }
    return new MaskedFields(anywhere, paths);
  }

  /** Returns true if nothing is masked. */
  public boolean none() {
    return anywhere.isEmpty() && paths.isEmpty();
  }

  /**
   * Returns the entry that masks the member at this path, or null if no entry masks it.
   *
   * @param path the names of members from the top, at least one, without positions in arrays
   */
  public @Nullable String covering(List<String> path) {
    String name = path.get(path.size() - 1);
    if (anywhere.contains(name)) {
      return name;
    }
    // The length is checked first, because looking up a deeply nested path takes longer the deeper
    // it is.
    return path.size() > longest ? null : paths.get(path);
  }

  /**
   * Returns true if the value at this path is masked, is part of a masked value, or may contain a
   * masked value. A user who must not see a masked value must not search for it either.
   *
   * @param path the names of members from the top, and positions in arrays
   */
  public boolean touch(List<String> path) {
    List<String> names = path.stream().filter(part -> !part.matches("-?\\d+")).toList();
    return path.stream().anyMatch(anywhere::contains)
        || paths.keySet().stream()
            .anyMatch(
                masked -> begins(masked, names) || begins(names, masked) || begins(path, masked));
  }

  private static boolean begins(List<String> path, List<String> with) {
    return path.size() >= with.size() && path.subList(0, with.size()).equals(with);
  }
}
