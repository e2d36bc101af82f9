package org.readpast.engine;

import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.readpast.api.ReceiveMode;

/** One way in which a queue's jobs are received here, and where it looks. */
final class Way {
  private final ReceiveMode mode;
  private final int jobsPerTransaction;
  private final boolean endsAtOnce;
  private final Lanes lanes;
  private final Deque<OpenWave> waves = new ConcurrentLinkedDeque<>();
  private int alone;

  /**
   * A way of its own.
   *
   * @param endsAtOnce whether a job may be ended when it is taken, if it needs nothing but to go
   */
  Way(ReceiveMode mode, int jobsPerTransaction, boolean endsAtOnce, Lanes lanes) {
    this.mode = mode;
    this.jobsPerTransaction = jobsPerTransaction;
    this.endsAtOnce = endsAtOnce;
    this.lanes = lanes;
  }

  ReceiveMode mode() {
    return mode;
  }

  boolean endsAtOnce() {
    return endsAtOnce;
  }

  Lanes lanes() {
    return lanes;
  }

  /** Whether jobs of this type are claimed straight from their waves. */
  boolean takesFromWaves(String type) {
    return mode == ReceiveMode.LEASED && lanes.goThrough(type);
  }

  /** The same, if nothing is known that goes first. */
  boolean takesNextFromWaves(String type) {
    return takesFromWaves(type) && lanes.quiet();
  }

  /** Whether somebody has yet to learn what is to be claimed, or a wave is open. */
  boolean mayHaveMore() {
    return lanes.looking() || !openWaves().isEmpty();
  }

  /** Whether no job is known of that could be claimed. */
  boolean quiet() {
    return lanes.quiet() && lanes.fullyLooked() && !mayHaveMore();
  }

  /** Whether the last look went everywhere, or somebody is at one. */
  boolean fullyLooked(long now) {
    return lanes.fullyLooked() || lanes.longLook(now);
  }

  /** A wave is open; whether its jobs are claimed so. */
  boolean opened(OpenWave wave) {
    if (!takesFromWaves(wave.lane().type())) {
      return false;
    }
    long now = System.nanoTime();
    waves.removeIf(other -> other.forgotten(now) || wave.replaces(other));
    return openWaves().stream().anyMatch(wave::isLike) || waves.add(wave);
  }

  /** Waves of its lanes that may be open. */
  Collection<OpenWave> openWaves() {
    if (!waves.isEmpty()) {
      waves.removeIf(OpenWave::over);
    }
    return waves;
  }

  /** How many jobs the next transaction may take. */
  synchronized int together() {
    return alone > 0 ? 1 : jobsPerTransaction;
  }

  /** So many have been committed. */
  synchronized void committed(int jobs) {
    alone = Math.max(0, alone - jobs);
  }

  /**
   * So many have been rolled back together. They are worked one by one now: so the one at fault
   * fails alone, and no more work is undone for it.
   */
  synchronized void rolledBack(int jobs) {
    if (jobs > 1) {
      alone = Math.max(alone, jobs);
    } else {
      committed(jobs);
    }
  }
}
