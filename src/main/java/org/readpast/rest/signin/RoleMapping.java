package org.readpast.rest.signin;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * Maps the groups of externally managed users to roles. A group with the name of a role has that
 * role, unless the configuration maps it otherwise. Groups without the prefix of Readpast have only
 * the roles that the configuration assigns to them.
 */
public record RoleMapping(Map<String, Set<String>> byGroup, Set<String> ours) {

  /**
   * Reads configuration keys of the form {@code <prefix>"<group>"=<roles>}; errors are added to the
   * faults.
   *
   * @param ours the existing roles: the general roles and those of queues
   */
  public static RoleMapping read(
      Config config, String prefix, Set<String> ours, Collection<String> faults) {
    Map<String, Set<String>> byGroup = new HashMap<>();
    for (String key : config.getPropertyNames()) {
      if (!key.startsWith(prefix)) {
        continue;
      }
      String rest = key.substring(prefix.length());
      boolean quoted = rest.length() > 1 && rest.startsWith("\"") && rest.endsWith("\"");
      String group = quoted ? rest.substring(1, rest.length() - 1) : rest;
      Set<String> roles =
          Stream.of(config.getOptionalValue(key, String.class).orElse("").split(","))
              .map(String::strip)
              .filter(role -> !role.isEmpty())
              .collect(Collectors.toCollection(TreeSet::new));
      if (!ours.containsAll(roles)) {
        faults.add(
            key
                + " is "
                + roles
                + ", so this group has no role; specify one or more of "
                + String.join(", ", new TreeSet<>(ours))
                + ", or leave the value empty for a group without a role");
        roles.clear();
      }
      // An empty set means that a group has no role, even if the group is named like a role.
      byGroup.put(group, Set.copyOf(roles));
    }
    return new RoleMapping(Map.copyOf(byGroup), Set.copyOf(ours));
  }

  /** Returns the roles of the given groups; empty if there are none. */
  public Set<String> of(Collection<String> groups) {
    return groups.stream()
        .flatMap(
            group ->
                byGroup
                    .getOrDefault(group, ours.contains(group) ? Set.of(group) : Set.<String>of())
                    .stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
