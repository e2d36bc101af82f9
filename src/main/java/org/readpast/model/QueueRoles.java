package org.readpast.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds the restricted queues, and the roles that grant access to each of them, as configured. A
 * general administrator has access to every queue, because a user who can change the configuration
 * could grant it anyway.
 */
public final class QueueRoles {
  /** No queue is restricted. */
  public static final QueueRoles NONE = new QueueRoles(Map.of());

  /** Names the queues whose jobs contain data of other queues: runs of rules, and webhook calls. */
  private static final Set<String> OF_ALL_QUEUES = Set.of("readpast", "readpast.webhook");

  private final Map<String, Map<Role, Set<String>>> byQueue;

  /**
   * Creates an instance with restricted queues.
   *
   * @param byQueue for each queue and each role in it, the names of the roles that grant it
   */
  public QueueRoles(Map<String, Map<Role, Set<String>>> byQueue) {
    Map<String, Map<Role, Set<String>>> all = new HashMap<>(byQueue);
    if (!byQueue.isEmpty()) {
      OF_ALL_QUEUES.forEach(queue -> all.putIfAbsent(queue, Map.of()));
    }
    this.byQueue = Map.copyOf(all);
  }

  /** Returns true if the general roles do not grant access to this queue. */
  public boolean restricts(String queue) {
    return byQueue.containsKey(queue);
  }

  /** Returns the names of all roles that a user may have: the general roles and those of queues. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(Role.General.ALL);
    byQueue.values().forEach(roles -> roles.values().forEach(names::addAll));
    return names;
  }

  /** Returns the access of a user with the given roles. */
  public QueueAccess access(Collection<String> roles) {
    Role general = Role.overAll(roles);
    if (general == Role.ADMIN) {
      return QueueAccess.EVERYTHING;
    }
    Map<String, Role> queues = new HashMap<>();
    byQueue.forEach((queue, given) -> queues.put(queue, highest(given, roles)));
    return new QueueAccess(general, queues);
  }

  private static Role highest(Map<Role, Set<String>> given, Collection<String> roles) {
    Role highest = Role.NONE;
    for (Map.Entry<Role, Set<String>> one : given.entrySet()) {
      if (one.getKey().includes(highest) && one.getValue().stream().anyMatch(roles::contains)) {
        highest = one.getKey();
      }
    }
    return highest;
  }
}
