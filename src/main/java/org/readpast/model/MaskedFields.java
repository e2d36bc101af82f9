package org.readpast.model;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which members of payloads and results are shown to operators only: {@code password} at any depth,
 * {@code card.number} where the payload's own member {@code card} has it. Arrays count for nothing:
 * {@code cards.number} is in each of the {@code cards}.
 */
public final class MaskedFields {
  /** Nothing is masked. */
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
   * Reads names and paths with commas between.
   *
   * @throws IllegalArgumentException if one of them has an empty part
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
        throw new IllegalArgumentException("'" + entry + "' has an empty part");
      }
      if (path.size() == 1) {
        anywhere.add(entry);
      } else {
        paths.put(path, entry);
      }
    }
    return new MaskedFields(anywhere, paths);
  }

  /** Whether nothing is masked. */
  public boolean none() {
    return anywhere.isEmpty() && paths.isEmpty();
  }

  /**
   * By which entry the member at this path is masked; null: by none.
   *
   * @param path names of members from the top, without places in arrays; one at least
   */
  public @Nullable String covering(List<String> path) {
    String name = path.get(path.size() - 1);
    if (anywhere.contains(name)) {
      return name;
    }
    // The path of a deeply nested member takes as long to look up as it is.
    return path.size() > longest ? null : paths.get(path);
  }

  /**
   * Whether what is at this path is masked, is part of something masked, or may have something
   * masked in it: who may not see that may not ask for it either.
   *
   * @param path names of members from the top, and places in arrays
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
