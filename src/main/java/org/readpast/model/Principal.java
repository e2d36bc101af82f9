package org.readpast.model;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the user that has enqueued a job.
 *
 * @param name the name of the user, up to 255 characters in one line; null if no user was signed in
 * @param roles those roles of the user that handlers require; empty if there is no name
 */
public record Principal(@Nullable String name, Set<String> roles) {
  /** Represents a caller that is not signed in. */
  public static final Principal NOBODY = new Principal(null, Set.of());

  private static final int LONGEST_NAME = 255;

  public Principal {
    roles =
        name == null
            ? Set.of()
            : roles.stream()
                .filter(role -> role.lines().count() == 1 && Names.storable(role))
                .collect(Collectors.toUnmodifiableSet());
  }

  /** Creates a user from the container's name; characters that cannot be stored are replaced. */
  public static Principal of(@Nullable String name, Set<String> roles) {
    if (name == null || name.isEmpty()) {
      return NOBODY;
    }
    StringBuilder storable = new StringBuilder(name);
    for (int i = 0; i < storable.length(); i++) {
      char c = storable.charAt(i);
      if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        storable.setCharAt(i, '\uFFFD');
      }
    }
    String cut =
        storable.length() <= LONGEST_NAME
            ? storable.toString()
            : storable.substring(0, LONGEST_NAME - 1) + "…";
    return new Principal(cut, roles);
  }

  /** Reads the stored form, which is the name and one line for each role. */
  public static Principal read(@Nullable String lines) {
    if (lines == null) {
      return NOBODY;
    }
    List<String> all = lines.lines().toList();
    return new Principal(all.get(0), Set.copyOf(all.subList(1, all.size())));
  }

  /** Returns the stored form of the roles, one line for each role; null if there are none. */
  public @Nullable String roleLines() {
    return roles.isEmpty() ? null : String.join("\n", new TreeSet<>(roles));
  }

  /** Returns true if the user had one of the given roles, or if no role is required. */
  public boolean isInOneOf(Set<String> demanded) {
    return demanded.isEmpty() || !Collections.disjoint(roles, demanded);
  }
}
