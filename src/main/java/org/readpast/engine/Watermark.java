package org.readpast.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Claims.LastPosition;

/**
 * Determines the position up to which no more jobs can appear, so that claims need not read the
 * dead index entries before it.
 *
 * <p>As long as the database loses no commits, positions only increase, and a transaction that
 * takes a position holds a lock on the table from before then until it ends. A job can therefore
 * appear at or below a position only while a transaction is open that was first seen before or when
 * the position was assigned. When a transaction that has locked jobs is rolled back, the jobs
 * reappear at their old positions. After a claim, the node moves its own marks back ({@link
 * ClaimCursors#failed}); after another transaction, it announces the jobs ({@link SkippedJobs}). If
 * the node has died, the node that declares it dead announces all lanes ({@link Maintenance}).
 */
final class Watermark {
  /**
   * Holds for each open writer the last position that is known to have been assigned before the
   * writer was first seen. A writer can only have taken positions after this one.
   */
  private final Map<String, Long> lastPositionBefore = new HashMap<>();

  private long last;
  private long highest;
  private @Nullable String source;
  private volatile long low;

  /**
   * Discards all data if the database may have lost commits. Positions are then assigned again, and
   * jobs that had ended are back at their earlier positions.
   *
   * @return true if all data was discarded
   */
  synchronized boolean forgetIfLost(LastPosition now) {
    // The sources of the positions are compared too, because the position does not always decrease
    // when data was lost: PostgreSQL logs a sequence 32 positions ahead, and other transactions may
    // have taken positions since. The position may also decrease while the source stays the same:
    // when a backend crashes, commits that were not flushed are lost, although the server keeps
    // running.
    boolean lost = source != null && (!source.equals(now.source()) || now.position() < highest);
    if (lost) {
      lastPositionBefore.clear();
      last = 0;
      low = 0;
    }
    source = now.source();
    highest = now.position();
    return lost;
  }

  /**
   * Records the last position and the open writers.
   *
   * @param lastPosition the last position that was assigned, read before the writers
   * @param openWriters the transactions that were open after the position was read
   */
  synchronized void observe(long lastPosition, Set<String> openWriters) {
    lastPositionBefore.keySet().retainAll(openWriters);
    // If a transaction was prepared before the database restarted, it may have had another name, so
    // the positions that it has taken are unknown.
    openWriters.forEach(
        writer -> lastPositionBefore.putIfAbsent(writer, writer.startsWith("-1/") ? 0 : last));
    long oldest =
        lastPositionBefore.values().stream().mapToLong(Long::longValue).min().orElse(lastPosition);
    low = Math.max(low, Math.min(oldest, lastPosition));
    last = lastPosition;
  }

  /**
   * Returns the watermark: a statement that starts now sees every job that will ever appear at or
   * below this position.
   */
  long low() {
    return low;
  }
}
