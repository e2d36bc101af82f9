package org.readpast.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Says for how long a node leaves the jobs of a type in a queue alone, because it could not read
 * several in a row: other nodes may be able to, and a long queue of such jobs must not be claimed
 * and put off without end.
 */
final class UnreadableLanes {
  // Single ones among others keep those from nothing.
  private static final int ADMITTED = 2;
  private static final int MOST_DOUBLED = 5;
  private static final long FIRST_REST = Duration.ofSeconds(1).toNanos();

  private final Map<String, Integer> inARow = new ConcurrentHashMap<>();

  /** A payload of the type was read. */
  void readable(String type) {
    if (!inARow.isEmpty()) {
      inARow.remove(type);
    }
  }

  /** One was not; returns for how many ns the type is left alone, up to half a minute. */
  long unreadable(String type) {
    int many = inARow.merge(type, 1, Integer::sum) - ADMITTED;
    return many <= 0 ? 0 : FIRST_REST << Math.min(many - 1, MOST_DOUBLED);
  }
}
