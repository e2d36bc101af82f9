package org.readpast.model;

import java.util.Set;

/**
 * Represents a set of queues, including queues that do not exist yet: the named queues, or all
 * queues except the named ones.
 *
 * @param others true for all queues except the named ones; false for the named ones
 */
public record QueueScope(boolean others, Set<String> named) {
  /** Contains every queue. */
  public static final QueueScope ALL = new QueueScope(true, Set.of());

  /** Copies the names. */
  public QueueScope {
    named = Set.copyOf(named);
  }

  /** Returns true if the queue is in it. */
  public boolean contains(String queue) {
    return named.contains(queue) != others;
  }

  /** Returns true if every queue is in it. */
  public boolean isAll() {
    return others && named.isEmpty();
  }

  /** Returns true if no queue is in it. */
  public boolean isEmpty() {
    return !others && named.isEmpty();
  }

  /** Returns true if every queue of the other scope is in it. */
  public boolean covers(QueueScope other) {
    if (other.others) {
      return others && other.named.containsAll(named);
    }
    return other.named.stream().allMatch(this::contains);
  }

  /** Returns the names as an array for a statement. */
  public String[] names() {
    return named.stream().sorted().toArray(String[]::new);
  }
}
