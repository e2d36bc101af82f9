package org.readpast.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Determines how long a node skips the jobs of a type in a queue because it could not read several
 * consecutive ones. Other nodes may be able to read the jobs, and this node must not claim and
 * postpone the jobs of a long queue repeatedly.
 */
final class UnreadableLanes {
  // A lane is skipped only after several consecutive unreadable jobs.
  private static final int ADMITTED = 2;
  // After a pause, this many unreadable jobs are tried before the next one. Among them may be jobs
  // that this node can read, and that otherwise wait for more urgent jobs that no node can read.
  private static final int ADMITTED_AFTER_PAUSE = 100;
  private static final int MOST_DOUBLED = 5;
  private static final long FIRST_PAUSE = Duration.ofSeconds(1).toNanos();

  private final Map<String, Integer> inARow = new ConcurrentHashMap<>();

  /** Records that a payload of the type was read. */
  void readable(String type) {
    if (!inARow.isEmpty()) {
      inARow.remove(type);
    }
  }

  /**
   * Records that a payload of the type could not be read. Returns the time in ns for which the type
   * is skipped: 1 to 32 s, or zero if it is not skipped.
   */
  long unreadable(String type) {
    int beyond = inARow.merge(type, 1, Integer::sum) - ADMITTED - 1;
    if (beyond < 0 || beyond % ADMITTED_AFTER_PAUSE != 0) {
      return 0;
    }
    return FIRST_PAUSE << Math.min(beyond / ADMITTED_AFTER_PAUSE, MOST_DOUBLED);
  }
}
