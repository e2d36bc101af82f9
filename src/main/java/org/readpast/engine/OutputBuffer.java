package org.readpast.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Nodes.OutputLine;
import org.readpast.store.Nodes.OutputProgress;

/**
 * Holds the output of one attempt that has not been stored yet: its latest progress, and its log
 * lines up to a limit. Lines beyond the limit are dropped and counted.
 */
final class OutputBuffer {
  static final int MOST_LINES = 1_000;
  static final int MOST_CHARACTERS = 128 << 10;
  private static final int LONGEST_LINE = 4_000;

  /**
   * Guards this buffer. The lock is also held while the output is being stored, so that lines keep
   * their order.
   */
  final ReentrantLock lock = new ReentrantLock();

  final ClaimedJob job;
  private final List<OutputLine> lines = new ArrayList<>();
  private int characters;
  private int dropped;
  private long firstDropped;
  private @Nullable OutputProgress progress;

  OutputBuffer(ClaimedJob job) {
    this.job = job;
  }

  void log(String text) {
    String storable = text.replace('\0', '\uFFFD');
    String cut = storable.length() <= LONGEST_LINE ? storable : storable.substring(0, LONGEST_LINE);
    lock.lock();
    try {
      long now = System.nanoTime();
      boolean full = lines.size() == MOST_LINES || characters + cut.length() > MOST_CHARACTERS;
      if (dropped == 0 && !full) {
        lines.add(new OutputLine(now, cut));
        characters += cut.length();
      } else if (dropped++ == 0) {
        firstDropped = now;
      }
    } finally {
      lock.unlock();
    }
  }

  void progress(long done, long total) {
    lock.lock();
    try {
      progress = new OutputProgress(System.nanoTime(), done, total);
    } finally {
      lock.unlock();
    }
  }

  // The methods below are called with the lock held.

  /** Returns the lines in order; if lines were dropped, the last line reports how many. */
  List<OutputLine> lines() {
    List<OutputLine> all = new ArrayList<>(lines);
    if (dropped > 0) {
      all.add(
          new OutputLine(
              firstDropped,
              dropped
                  + " lines were dropped here, because the database was unavailable for too"
                  + " long"));
    }
    return all;
  }

  @Nullable OutputProgress progress() {
    return progress;
  }

  boolean isEmpty() {
    return lines.isEmpty() && progress == null;
  }

  void clear() {
    lines.clear();
    characters = 0;
    dropped = 0;
    progress = null;
  }
}
