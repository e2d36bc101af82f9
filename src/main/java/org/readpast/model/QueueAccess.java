package org.readpast.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Holds the role of a caller in each queue.
 *
 * @param others the role in all queues that are not named
 * @param queues the roles in restricted queues, including {@link Role#NONE}
 */
public record QueueAccess(Role others, Map<String, Role> queues) {
  /**
   * Represents the access of administrators of all queues, and of applications and the engine,
   * which no role limits.
   */
  public static final QueueAccess EVERYTHING = new QueueAccess(Role.ADMIN, Map.of());

  /** Creates an instance with a copy of the roles. */
  public QueueAccess {
    queues = Map.copyOf(queues);
  }

  /** Parses the result of {@link #text}. */
  public static QueueAccess parse(String text) {
    String[] words = text.split(" ");
    Map<String, Role> queues = new TreeMap<>();
    for (int i = 1; i < words.length; i++) {
      int end = words[i].lastIndexOf('=');
      queues.put(words[i].substring(0, end), Role.valueOf(words[i].substring(end + 1)));
    }
    return new QueueAccess(Role.valueOf(words[0]), queues);
  }

  /** Returns the access as a string that can be stored; the names of queues contain no spaces. */
  public String text() {
    StringBuilder text = new StringBuilder(others.name());
    new TreeMap<>(queues).forEach((queue, role) -> text.append(' ' + queue + '=' + role));
    return text.toString();
  }

  /** Returns true if this access includes every role of the other access, in every queue. */
  public boolean covers(QueueAccess other) {
    return Stream.of(Role.values())
        .filter(role -> role != Role.NONE)
        .allMatch(role -> scope(role).covers(other.scope(role)));
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

  /** Returns true if the caller has a role for all unrestricted queues, not only for some. */
  public boolean isGeneral() {
    return others != Role.NONE;
  }
}
