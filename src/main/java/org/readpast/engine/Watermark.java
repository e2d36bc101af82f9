package org.readpast.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.store.Claims.LastPosition;

/**
 * Proves up to which position no job can appear any more, so that a claim need not read the dead
 * entries before it.
 *
 * <p>As long as the database loses no commit, positions only grow, and a transaction that draws one
 * holds a lock on the table from before the draw to its end. So a job can appear at or below a
 * position only while a transaction is open that was first seen no later than that position was
 * drawn. Jobs that come back where they were because their claim was rolled back are the claimer's
 * care ({@link ClaimCursors#failed}), or that of everybody when it has died ({@link
 * ClaimCursors#startOver}).
 */
final class Watermark {
  /**
   * Open writer to the last position known drawn before it was first seen: it can only have drawn
   * later ones.
   */
  private final Map<String, Long> drawnBefore = new HashMap<>();

  private long last;
  private long highest;
  private @Nullable String source;
  private volatile long settled;

  /**
   * Forgets everything if the database may have lost commits: positions are drawn again, and jobs
   * that had left are back where they were.
   *
   * @return true if so
   */
  synchronized boolean forgetIfLost(LastPosition now) {
    // The source decides: a sequence is logged 32 positions ahead, and others may have drawn since,
    // so it need not have gone back. It may go back alone: when a backend crashes, commits that
    // were not flushed are lost, but the server keeps running.
    boolean lost = source != null && (!source.equals(now.source()) || now.position() < highest);
    if (lost) {
      drawnBefore.clear();
      last = 0;
      settled = 0;
    }
    source = now.source();
    highest = now.position();
    return lost;
  }

  /**
   * Takes note of how things stand.
   *
   * @param lastDrawn the last position drawn, read before the writers
   * @param openWriters the transactions open after that
   */
  synchronized void observe(long lastDrawn, Set<String> openWriters) {
    drawnBefore.keySet().retainAll(openWriters);
    // A transaction that was prepared before a restart of the database may have been known by
    // another name: what it has drawn is not known any more.
    openWriters.forEach(
        writer -> drawnBefore.putIfAbsent(writer, writer.startsWith("-1/") ? 0 : last));
    long oldest = drawnBefore.values().stream().mapToLong(Long::longValue).min().orElse(lastDrawn);
    settled = Math.max(settled, Math.min(oldest, lastDrawn));
    last = lastDrawn;
  }

  /**
   * A statement that starts now sees every job that there will ever be at or below this position.
   */
  long settled() {
    return settled;
  }
}
