package org.readpast.model;

import java.util.Set;

/**
 * A set of queues, also of those that do not exist yet: the named ones, or all but the named ones.
 *
 * @param others true: all queues but the named ones; false: the named ones
 */
public record QueueScope(boolean others, Set<String> named) {
  /** Every queue. */
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

  /** Returns the names, for a statement. */
  public String[] names() {
    return named.stream().sorted().toArray(String[]::new);
  }
}
