package org.readpast.runtime;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.readpast.model.Names;
import org.readpast.model.QueueRoles;
import org.readpast.model.Role;

/**
 * Reads from the configuration which queues are restricted. An unknown key is also an error: if it
 * were ignored, a queue that was meant to be restricted would stay open.
 */
final class QueueRolesReader {
  private static final String PREFIX = "readpast.queue.";
  private static final Pattern NAMED = Pattern.compile("(\"[^\"]*\"|[^.\"]+)\\.(.+)");
  private static final Pattern ROLES = Pattern.compile("(?:.*\\.)?roles(?:\\..*)?");
  private static final Pattern WITHOUT_QUEUE = Pattern.compile("roles\\.(viewer|operator|admin)");
  private static final Pattern VARIABLE =
      Pattern.compile("READPAST_QUEUE_.+_ROLES_(VIEWER|OPERATOR|ADMIN)");
  private static final Set<Role> GIVEN = Set.of(Role.VIEWER, Role.OPERATOR, Role.ADMIN);
  private static final String FORM =
      "specify " + PREFIX + "\"<queue>\".roles.viewer, .operator or .admin";

  private QueueRolesReader() {}

  /** Reads the roles of all queues and adds the errors. */
  static QueueRoles read(Config config, ConfigurationErrors errors) {
    Map<String, Map<Role, Set<String>>> byQueue = new HashMap<>();
    Set<String> variables = new TreeSet<>();
    Set<String> covered = new TreeSet<>();
    for (String key : config.getPropertyNames()) {
      if (VARIABLE.matcher(key).matches()) {
        variables.add(key);
      }
      if (!key.startsWith(PREFIX)) {
        continue;
      }
      covered.add(key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT));
      String rest = key.substring(PREFIX.length());
      Matcher named = NAMED.matcher(rest);
      String said = named.matches() ? named.group(2) : rest;
      if (!ROLES.matcher(said).matches() && !WITHOUT_QUEUE.matcher(rest).matches()) {
        continue;
      }
      Role role = named.matches() ? role(said) : Role.NONE;
      if (role == Role.NONE) {
        errors.add(key + " is not a known key; " + FORM);
        continue;
      }
      String queue = named.group(1).replace("\"", "");
      errors.guard(key, () -> Names.checkQueue(queue));
      Set<String> names = names(key, config.getOptionalValue(key, String.class).orElse(""), errors);
      byQueue.computeIfAbsent(queue, any -> new EnumMap<>(Role.class)).put(role, names);
    }
    // An environment variable does not show how the queue's name is spelled; it is accepted only if
    // it overrides a key that shows the spelling.
    variables.removeAll(covered);
    for (String variable : variables) {
      errors.add(
          "environment variable "
              + variable
              + " does not identify the queue that it restricts; "
              + FORM
              + " as a system property or in a file");
    }
    return new QueueRoles(byQueue);
  }

  private static Role role(String said) {
    for (Role role : GIVEN) {
      if (said.equals("roles." + role.name().toLowerCase(Locale.ROOT))) {
        return role;
      }
    }
    return Role.NONE;
  }

  private static Set<String> names(String key, String value, ConfigurationErrors errors) {
    Set<String> names = new TreeSet<>();
    for (String name : value.split(",", -1)) {
      names.add(name.strip());
    }
    // In role names, servers interpret '**' as every authenticated caller.
    boolean wrong = names.stream().anyMatch(name -> name.isEmpty() || name.contains("*"));
    errors.check(
        !wrong,
        key,
        value,
        "specify the names of one or more roles, separated by commas, without *");
    return wrong ? Set.of() : names;
  }
}
