package org.readpast.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.Stretch;
import org.readpast.store.SettlingWaves.Wave;

/**
 * A wave that was opened a moment ago, as far as it lies in one lane. Receivers claim its jobs as
 * they wait, which takes half of what it does to let them go first.
 *
 * <p>It is a hint: the claim looks for itself whether the wave is open, and the settlement lets go
 * what nobody takes.
 */
final class OpenWave {
  private static final long LONGEST_PAUSE_NANOS = 200_000_000L;
  private static final long FORGOTTEN_NANOS = 60_000_000_000L;

  private final int node;
  private final Arrival lane;
  private final Wave wave;
  private final Runnable unfit;
  private long after;
  private long before = Long.MAX_VALUE;
  // One from each end: beside each other they would pass by what the other has just locked.
  private boolean atTheStart;
  private boolean atTheEnd;
  private boolean claimed;
  private long lastClaim = System.nanoTime();
  private boolean over;

  /**
   * Of a lane.
   *
   * @param node who has opened it
   * @param unfit called when nothing is found in it
   */
  OpenWave(int node, Arrival lane, Wave wave, Runnable unfit) {
    this.node = node;
    this.lane = lane;
    this.wave = wave;
    this.unfit = unfit;
  }

  /** Of the word of another node. */
  static OpenWave heard(String word) {
    String[] parts = word.split(String.valueOf(Arrival.SEPARATOR));
    if (parts.length != 6) {
      throw new IllegalArgumentException(word);
    }
    return new OpenWave(
        Integer.parseInt(parts[0]),
        new Arrival(parts[1], parts[2], Integer.parseInt(parts[3])),
        new Wave(Long.parseLong(parts[4]), Integer.parseInt(parts[5])),
        () -> {});
  }

  /** Says to other nodes that it is open. */
  String word() {
    char and = Arrival.SEPARATOR;
    return "" + node + and + lane.ofSeveral() + and + wave.batch() + and + wave.no();
  }

  /** The number of the node that has opened it. */
  int node() {
    return node;
  }

  Arrival lane() {
    return lane;
  }

  Wave wave() {
    return wave;
  }

  /** Counts a claim in, where there may be one more, and says of what; else null. */
  synchronized @Nullable Stretch enter() {
    boolean fromTheEnd = atTheStart;
    if (over || fromTheEnd && atTheEnd) {
      return null;
    }
    atTheStart = true;
    atTheEnd |= fromTheEnd;
    return new Stretch(wave, lane.queue(), lane.type(), lane.priority(), after, before, fromTheEnd);
  }

  /** Counts a claim out. */
  synchronized void leave(Stretch claim) {
    if (claim.fromTheEnd()) {
      atTheEnd = false;
    } else {
      atTheStart = false;
    }
  }

  /** Takes note of what a claim for so many has found. */
  void found(Stretch claim, List<ClaimedJob> jobs, int most) {
    if (noted(claim, jobs, most)) {
      unfit.run();
    }
  }

  private synchronized boolean noted(Stretch claim, List<ClaimedJob> jobs, int most) {
    over |= jobs.size() < most;
    if (!jobs.isEmpty()) {
      claimed = true;
      lastClaim = System.nanoTime();
      if (claim.fromTheEnd()) {
        before = jobs.get(0).id();
      } else {
        after = jobs.get(jobs.size() - 1).id();
      }
    }
    return !claimed;
  }

  /** Whether jobs may be left to claim so. */
  synchronized boolean over() {
    return over;
  }

  /** Whether receivers of this node go on with it. */
  synchronized boolean goesOn(long now) {
    return !over && (atTheStart || atTheEnd || now - lastClaim < LONGEST_PAUSE_NANOS);
  }

  /** Whether nobody has claimed of it for long. */
  synchronized boolean forgotten(long now) {
    return now - lastClaim > FORGOTTEN_NANOS;
  }
}
