package org.readpast.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims.Stretch;
import org.readpast.store.WaveStore.Wave;

/**
 * A wave that was opened a moment ago, as far as it lies in one lane. Receivers claim its jobs as
 * they wait, which takes half of what it does to let them go first.
 *
 * <p>It is a hint: the claim looks for itself whether the wave is open, and the settlement lets go
 * what nobody takes.
 */
final class OpenWave {
  private static final long LONGEST_PAUSE_NANOS = 200_000_000L;
  // What lies in other lanes waits as long.
  private static final long LONGEST_NANOS = 1_000_000_000L;
  private static final long FORGOTTEN_NANOS = 60_000_000_000L;
  // Longer than a thousand short jobs take. Who comes after some of these waits as long.
  private static final long QUIET_NANOS = 100_000_000L;

  private final int node;
  private final Arrival lane;
  private final Wave wave;
  private final @Nullable Runnable ended;
  private final int jobs;
  // More than six fields change: both ends of a wave and the claims at work between them, under one
  // lock.
  private int left;
  private int wanted;
  private long after;
  private long before = Long.MAX_VALUE;
  // One from each end: beside each other they would pass by what the other has just locked.
  private boolean atTheStart;
  private boolean atTheEnd;
  private int hands;
  private boolean owed;
  private final long opened = System.nanoTime();
  private long lastClaim = opened;
  private boolean over;

  /**
   * Of a lane.
   *
   * @param node who has opened it
   * @param jobs how many it has at most, as far as is known
   * @param ended called when nothing of it is in work here any more, or nothing more was found for
   *     a claim: something else may be left; null: another node has opened it
   */
  OpenWave(int node, Arrival lane, Wave wave, int jobs, @Nullable Runnable ended) {
    this.node = node;
    this.lane = lane;
    this.wave = wave;
    this.jobs = jobs;
    this.left = jobs;
    this.ended = ended;
  }

  /** Of the word of another node. */
  static OpenWave parse(String word) {
    String[] parts = word.split(String.valueOf(Arrival.SEPARATOR));
    if (parts.length != 7) {
      throw new IllegalArgumentException(word);
    }
    return new OpenWave(
        Integer.parseInt(parts[0]),
        new Arrival(parts[1], parts[2], Integer.parseInt(parts[3])),
        new Wave(Long.parseLong(parts[4]), Integer.parseInt(parts[5])),
        Integer.parseInt(parts[6]),
        null);
  }

  /** Says to other nodes that it is open. */
  String encode() {
    char and = Arrival.SEPARATOR;
    return "" + node + and + lane.ofSeveral() + and + wave.batch() + and + wave.no() + and + jobs;
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

  /** Counts a claim for so many in, if it may find something, and says of what; else null. */
  synchronized @Nullable Stretch enter(int most) {
    if (!admitsAnother()) {
      return null;
    }
    boolean fromTheEnd = atTheStart;
    atTheStart = true;
    atTheEnd |= fromTheEnd;
    wanted += most;
    return new Stretch(
        wave, lane.queue(), lane.type(), lane.priority(), after, before, fromTheEnd, most);
  }

  /** Whether one more claim may find something. */
  synchronized boolean admitsAnother() {
    return !over && left > wanted && !(atTheStart && atTheEnd);
  }

  /**
   * Counts a claim out, and takes note of what it has found: the receiver has that in its hands
   * until it {@link #putDown puts it down}.
   */
  void leave(Stretch claim, List<ClaimedJob> jobs) {
    note(claim, jobs);
    if (jobs.isEmpty() && ended != null) {
      // Else the settlement comes when these have ended.
      ended.run();
    }
  }

  /** What a claim has found is in work no more. */
  void putDown() {
    if (lastPutsDown() && ended != null) {
      ended.run();
    }
  }

  private synchronized boolean lastPutsDown() {
    hands--;
    boolean last = hands == 0 && !claimsUnderWay();
    owed &= !last;
    return last;
  }

  /**
   * Some have ended: returns true if the resolver is to learn of that only when the last receiver
   * puts its jobs down. Only the last end of a wave matters, and while the resolver processes
   * earlier ones it cannot open the next wave.
   */
  synchronized boolean keepQuiet(long now) {
    boolean quiet = isQuiet(now);
    owed |= quiet;
    return quiet;
  }

  private boolean isQuiet(long now) {
    return ended != null && now - opened < QUIET_NANOS;
  }

  /** Tells the settlement of what has ended, where one that is in work takes longer than that. */
  void look(long now) {
    if (ended != null && takeOwed(now)) {
      ended.run();
    }
  }

  private synchronized boolean takeOwed(long now) {
    boolean late = owed && !isQuiet(now);
    owed &= !late;
    return late;
  }

  private synchronized void note(Stretch claim, List<ClaimedJob> jobs) {
    if (claim.fromTheEnd()) {
      atTheEnd = false;
    } else {
      atTheStart = false;
    }
    wanted -= claim.most();
    left -= jobs.size();
    over |= jobs.size() < claim.most() || left <= 0;
    if (!jobs.isEmpty()) {
      hands++;
      lastClaim = System.nanoTime();
      long last = jobs.get(jobs.size() - 1).id();
      if (claim.fromTheEnd()) {
        before = last;
      } else {
        after = last;
      }
    }
  }

  private boolean claimsUnderWay() {
    return atTheStart || atTheEnd;
  }

  /** Whether no further claim is to go to it. */
  synchronized boolean over() {
    return over;
  }

  /** Whether the same is to be claimed. */
  boolean isLike(OpenWave other) {
    return wave.equals(other.wave) && lane.equals(other.lane);
  }

  /**
   * Whether nobody needs the other any more: it is through, or this node did not open it itself.
   */
  boolean replaces(OpenWave other) {
    return wave.batch() == other.wave.batch() && wave.no() > other.wave.no()
        || isLike(other) && ended != null && other.ended == null;
  }

  /** Whether receivers of this node go on with it. */
  synchronized boolean goesOn(long now) {
    return now - opened < LONGEST_NANOS
        && (claimsUnderWay() || !over && now - lastClaim < LONGEST_PAUSE_NANOS);
  }

  /** Whether nobody has claimed of it for long. */
  synchronized boolean forgotten(long now) {
    return now - lastClaim > FORGOTTEN_NANOS;
  }
}
