package org.readpast.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The role of a caller in each queue.
 *
 * @param others the role in all queues that are not named
 * @param queues the roles in restricted queues, {@link Role#NONE} included
 */
public record QueueAccess(Role others, Map<String, Role> queues) {
  /** Administrators of everything, and callers that no role limits: applications and the engine. */
  public static final QueueAccess EVERYTHING = new QueueAccess(Role.ADMIN, Map.of());

  /** Copies the roles. */
  public QueueAccess {
    queues = Map.copyOf(queues);
  }

  /** Returns the queues in which the caller has this role or a higher one. */
  public QueueScope scope(Role role) {
    boolean all = others.includes(role);
    Set<String> named = new TreeSet<>();
    queues.forEach(
        (queue, own) -> {
          if (own.includes(role) != all) {
            named.add(queue);
          }
        });
    return new QueueScope(all, named);
  }

  /** Returns the queues that the caller sees. */
  public QueueScope seen() {
    return scope(Role.VIEWER);
  }

  /** Returns true if the caller has this role, or a higher one, in the queue. */
  public boolean has(Role role, String queue) {
    return queues.getOrDefault(queue, others).includes(role);
  }

  /** Returns true if the caller has a role over all unrestricted queues, not only in some. */
  public boolean isGeneral() {
    return others != Role.NONE;
  }
}
