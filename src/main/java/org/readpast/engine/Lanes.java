package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Lane;

/**
 * Where to look next in one queue: a mark for each lane (type, priority).
 *
 * <p>A quick look goes through the lanes known to have jobs, from the last position seen; it is
 * what keeps claims cheap beside dead entries. A full look goes through every lane, from the
 * position below which nothing can appear. It is due when a quick one came back short, and twice a
 * second: that finds what committed late with an earlier position, and a higher priority that came
 * from elsewhere. Where it has to read millions of dead entries it takes seconds: then the other
 * receivers go on with quick ones, and the next comes later.
 */
final class Lanes {
  static final long FULL_LOOK_NANOS = 500_000_000L;
  private static final long START_OVER_NANOS = 300_000_000_000L;

  // Looks beside each other begin at the same mark, and pass by all that the others have just
  // locked: measured with eight receivers, two at a time leave a tenth more for the work.
  private static final int LOOKS_AT_ONCE = 2;

  // Those for which it is only time take no more of it than one part in this.
  private static final int SHARE_OF_FULL_LOOKS = 5;
  private static final long LONG_LOOK_NANOS = FULL_LOOK_NANOS / SHARE_OF_FULL_LOOKS;
  // After that another is begun: this one may never come back.
  private static final long LONGEST_LOOK_NANOS = 10_000_000_000L;

  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final List<Cursor> cursors;
  private final int types;
  private boolean fullLookDue = true;
  private boolean fromTheStart = true;
  private long lastFullLook;
  private long fullLookEvery = FULL_LOOK_NANOS;
  private long lastStart;
  private int turn;
  private long setBacks;
  private long asked;
  private long arrivals;
  private final Set<Look> underWay = Collections.newSetFromMap(new IdentityHashMap<>());

  Lanes(List<String> types, Watermark watermark, TypeSpeeds speeds) {
    this.watermark = watermark;
    this.speeds = speeds;
    List<Cursor> all = new ArrayList<>();
    for (int priority = 9; priority >= 0; priority--) {
      for (int i = 0; i < types.size(); i++) {
        all.add(new Cursor(types.get(i), priority, i));
      }
    }
    this.types = Math.max(1, types.size());
    this.cursors = List.copyOf(all);
  }

  /**
   * Where a claim is to look.
   *
   * @param since when it was planned
   * @param slow whether it may take long, as far as can be told
   * @param setBacks how often lanes had been set back when it was planned
   * @param asked how often everything was to be looked at
   * @param arrivals how often jobs had come to a lane
   */
  record Look(
      boolean full,
      long since,
      boolean slow,
      long settled,
      long setBacks,
      long asked,
      long arrivals,
      List<Cursor> cursors,
      List<Lane> lanes) {

    /** The types that it looks for. */
    Set<String> types() {
      return lanes.stream().map(Lane::type).collect(Collectors.toSet());
    }
  }

  /** A lane with its marks: nothing is left at or below done; the last job seen was at seen. */
  static final class Cursor {
    final String type;
    final int priority;
    final int place;
    private long done;
    private long seen;
    private long lastArrival;
    private boolean busy;

    Cursor(String type, int priority, int place) {
      this.type = type;
      this.priority = priority;
      this.place = place;
    }
  }

  /** Whether the last look went everywhere, and none has become due since. */
  synchronized boolean fullyLooked() {
    return none() || !fullLookDue;
  }

  /** Whether somebody is at a full look that takes long, and will see to the next as well. */
  synchronized boolean longLook(long now) {
    return underWay.stream().anyMatch(look -> look.full() && takesLong(look, now - look.since()));
  }

  private static boolean takesLong(Look look, long nanos) {
    return (look.slow() || nanos > LONG_LOOK_NANOS) && nanos < LONGEST_LOOK_NANOS;
  }

  boolean none() {
    return cursors.isEmpty();
  }

  /** Whether no job is known of in any lane. */
  synchronized boolean quiet() {
    return cursors.stream().noneMatch(cursor -> cursor.busy);
  }

  /** Whether jobs of this type are looked for. */
  boolean goThrough(String type) {
    return cursors.stream().anyMatch(cursor -> cursor.type.equals(type));
  }

  /** Of each type the position at or below which nothing is left. */
  synchronized Map<String, Long> floors(long now) {
    startOverIfDue(now);
    return cursors.stream()
        .collect(Collectors.toMap(cursor -> cursor.type, cursor -> cursor.done, Math::min));
  }

  private void startOverIfDue(long now) {
    if (now - lastStart > START_OVER_NANOS) {
      lastStart = now;
      startOver();
    }
  }

  /** Waits for some of those to come back who look already, but no longer than so many ms. */
  synchronized void awaitTurn(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (underWay.size() >= LOOKS_AT_ONCE) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  synchronized Look next(long now) {
    startOverIfDue(now);
    return plan((fullLookDue || now - lastFullLook > fullLookEvery) && !longLook(now), now);
  }

  /** Where a claim is to look that is to prove that nothing is there. */
  synchronized Look everywhere(long now) {
    startOverIfDue(now);
    return plan(true, now);
  }

  private Look plan(boolean full, long now) {
    if (full) {
      lastFullLook = now;
      fullLookDue = false;
    }
    List<Cursor> chosen =
        new ArrayList<>(full ? cursors : cursors.stream().filter(c -> c.busy).toList());
    // Among lanes of one priority the first is a different one each time, so that no type waits for
    // another for ever.
    turn++;
    chosen.sort(
        Comparator.comparingInt((Cursor c) -> -c.priority)
            .thenComparingInt(c -> Math.floorMod(c.place + turn, types)));
    List<Lane> lanes =
        chosen.stream()
            .map(
                c ->
                    new Lane(
                        c.type,
                        c.priority,
                        (full ? c.done : c.seen) + 1,
                        speeds.costNanos(c.type) / 1_000))
            .toList();
    boolean slow = fromTheStart || fullLookEvery > FULL_LOOK_NANOS;
    fromTheStart &= !full;
    Look look =
        new Look(full, now, slow, watermark.settled(), setBacks, asked, arrivals, chosen, lanes);
    if (!lanes.isEmpty()) {
      underWay.add(look);
    }
    return look;
  }

  /** Whether somebody has yet to learn what a look has found. */
  synchronized boolean looking() {
    return !underWay.isEmpty();
  }

  /**
   * Takes note of what a look has found: jobs in the order of the lanes looked at.
   *
   * @param most how many it was for: the lanes after the one that made it so many were not looked
   *     at
   */
  synchronized void found(Look look, List<ClaimedJob> jobs, int most, long now) {
    boolean tooEarly = look.asked() != asked;
    if (look.lanes().isEmpty()) {
      return;
    }
    underWay.remove(look);
    notify();
    if (look.full()) {
      fullLookEvery =
          Math.max(
              FULL_LOOK_NANOS,
              Math.min(LONGEST_LOOK_NANOS, SHARE_OF_FULL_LOOKS * (now - look.since())));
    }
    int left = most;
    for (int place = 0; place < look.cursors().size(); place++) {
      Cursor cursor = look.cursors().get(place);
      long lastPosition = -1;
      int here = 0;
      for (ClaimedJob job : jobs) {
        if (job.priority() == cursor.priority && job.type().equals(cursor.type)) {
          here++;
          lastPosition = Math.max(lastPosition, job.position());
        }
      }
      boolean exhausted = here < left;
      if (here > 0) {
        cursor.busy = true;
        cursor.seen = look.full() ? lastPosition : Math.max(cursor.seen, lastPosition);
      }
      if (exhausted) {
        // What has come meanwhile this look may have been too early for.
        cursor.busy = here > 0 || cursor.lastArrival > look.arrivals();
      }
      // Lanes set back since this look was planned stay back: it may have passed by what has come
      // again since. A quick look will do where it began no later: else a full one would read the
      // entries of all that has gone since the last once more, and have each page of them written.
      if (look.setBacks() == setBacks && look.lanes().get(place).mark() <= cursor.done + 1) {
        long done = exhausted ? look.settled() : Math.min(lastPosition, look.settled());
        cursor.done = Math.max(cursor.done, done);
        cursor.seen = Math.max(cursor.seen, cursor.done);
      }
      left -= here;
      if (left <= 0) {
        return;
      }
    }
    // So it may for whatever was asked for.
    fullLookDue = !look.full() || !jobs.isEmpty() || tooEarly;
  }

  /** Nobody knows what a look has found: its answer was lost, or it was refused. */
  synchronized void failed(Look look) {
    underWay.remove(look);
    notify();
    for (int i = 0; i < look.cursors().size(); i++) {
      Cursor cursor = look.cursors().get(i);
      cursor.done = Math.min(cursor.done, look.lanes().get(i).mark() - 1);
      cursor.busy = true;
    }
    setBacks++;
    lookEverywhere();
  }

  /** A job is available again at a position that it had before: the next look begins no later. */
  synchronized void release(Claims.Released at) {
    for (Cursor cursor : cursors) {
      if (cursor.priority == at.priority() && cursor.type.equals(at.type())) {
        cursor.done = Math.min(cursor.done, at.position() - 1);
        cursor.seen = Math.min(cursor.seen, at.position() - 1);
        cursor.busy = true;
        setBacks++;
        lookEverywhere();
      }
    }
  }

  /** Looks everywhere from the start again, as after this node was cut off. */
  synchronized void startOver() {
    fromTheStart = true;
    cursors.forEach(cursor -> cursor.done = 0);
    setBacks++;
    lookEverywhere();
  }

  /** Starts over in a database that has drawn no position after this one. */
  synchronized void startOver(long lastDrawn) {
    cursors.forEach(cursor -> cursor.seen = Math.min(cursor.seen, lastDrawn));
    startOver();
  }

  /** A job has come to this lane. */
  synchronized void expect(String type, int priority) {
    arrivals++;
    for (Cursor cursor : cursors) {
      if (cursor.priority == priority && cursor.type.equals(type)) {
        cursor.busy = true;
        cursor.lastArrival = arrivals;
      }
    }
  }

  /** How often everything was to be looked at. */
  synchronized long asked() {
    return asked;
  }

  /** Something may have come: the next look is a full one. */
  synchronized void lookEverywhere() {
    asked++;
    fullLookDue = true;
  }
}
