package org.readpast.model;

import java.util.Set;

/**
 * Represents a set of queues, including queues that do not exist yet: the named queues, or all
 * queues except the named ones.
 *
 * @param others true for all queues except the named ones, false for the named ones
 */
public record QueueScope(boolean others, Set<String> named) {
  /** Contains every queue. */
  public static final QueueScope ALL = new QueueScope(true, Set.of());

  /** Creates an instance with a copy of the names. */
  public QueueScope {
    named = Set.copyOf(named);
  }

  /** Returns true if the set contains the queue. */
  public boolean contains(String queue) {
    return named.contains(queue) != others;
  }

  /** Returns true if the set contains every queue. */
  public boolean isAll() {
    return others && named.isEmpty();
  }

  /** Returns true if the set contains no queue. */
  public boolean isEmpty() {
    return !others && named.isEmpty();
  }

  /** Returns true if this set contains every queue of the other set. */
  public boolean covers(QueueScope other) {
    if (other.others) {
      return others && other.named.containsAll(named);
    }
    return other.named.stream().allMatch(this::contains);
  }

  /** Returns the names as an array for an SQL statement. */
  public String[] names() {
    return named.stream().sorted().toArray(String[]::new);
  }
}
