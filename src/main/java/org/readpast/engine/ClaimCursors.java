package org.readpast.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;
import org.readpast.store.Lane;

/**
 * Where to look next in one queue: a mark for each lane (type, priority) that has jobs, and one for
 * all others.
 *
 * <p>A quick look goes through the lanes known to have jobs, from the last position seen; it is
 * what keeps claims cheap beside dead entries. A full look goes through every lane, from the
 * position below which nothing can appear. It is due when a quick one came back short, and twice a
 * second: that finds jobs that committed late at an earlier position, and jobs of a higher priority
 * that other nodes enqueued. Where it has to read millions of dead entries it takes seconds: then
 * the other receivers continue with quick ones, and the next full look comes later.
 */
final class ClaimCursors {
  static final long FULL_LOOK_NANOS = 500_000_000L;
  private static final long START_OVER_NANOS = 300_000_000_000L;
  private static final long USED_NANOS = 600_000_000_000L;

  // Concurrent claims begin at the same mark and skip the rows that the others have just locked.
  // With
  // eight receivers, two at a time leave a tenth more time for the work.
  private static final int LOOKS_AT_ONCE = 2;

  // Those for which it is only time take no more of it than one part in this.
  private static final int SHARE_OF_FULL_LOOKS = 5;
  private static final long LONG_LOOK_NANOS = FULL_LOOK_NANOS / SHARE_OF_FULL_LOOKS;
  // After that another is begun: this one may never come back.
  private static final long LONGEST_LOOK_NANOS = 10_000_000_000L;

  // Nodes share a database with thousands of queues, most of them at rest: a cursor exists only
  // while its lane has jobs.
  private Map<Key, Cursor> cursors = new HashMap<>();
  private final Cursor others = new Cursor(0, null);
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final TypeLimits limits;
  private final Collection<String> types;
  // More than six fields change: a plan and what it found have to agree on all of them, under one
  // lock.
  private boolean fullLookDue = true;
  private boolean fromTheStart = true;
  private long lastFullLook;
  private long fullLookEvery = FULL_LOOK_NANOS;
  private long lastStart;
  private boolean used;
  private long lastUse;
  private int turn;
  private long setBacks;
  private long asked;
  private long arrivals;
  // Types that this node leaves alone, and until when. Their lanes have cursors of their own, which
  // stay: no look that passes them by says anything of them.
  private final Map<String, Long> resting = new HashMap<>();
  private final Set<ClaimPlan> underWay = Collections.newSetFromMap(new IdentityHashMap<>(2));

  /**
   * @param types distinct
   */
  ClaimCursors(
      Collection<String> types, Watermark watermark, TypeSpeeds speeds, TypeLimits limits) {
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.limits = limits;
  }

  private static final LongSummaryStatistics NONE = new LongSummaryStatistics();

  private record Key(String type, int priority) {}

  /** The marks of a lane: nothing is left at or below done; the last job seen was at seen. */
  private static final class Cursor {
    private final int place;
    private long done;
    private long seen;
    private long lastArrival;
    private boolean busy;

    /**
     * @param place of its type among those of the queue
     * @param as whose marks it starts with; null: those of the start
     */
    Cursor(int place, @Nullable Cursor as) {
      this.place = place;
      this.done = as == null ? 0 : as.done;
      this.seen = as == null ? 0 : as.seen;
    }
  }

  /** The cursor of a lane that is looked at, from now on of its own. */
  private Cursor own(Key lane) {
    return cursors.computeIfAbsent(lane, key -> new Cursor(place(key.type()), others));
  }

  private int place(String type) {
    int place = 0;
    for (String one : types) {
      if (one.equals(type)) {
        return place;
      }
      place++;
    }
    throw new IllegalArgumentException(type);
  }

  /** Whether the last look went everywhere, and none has become due since. */
  synchronized boolean fullyLooked() {
    return none() || !fullLookDue;
  }

  /** Whether somebody is at a full look that takes long, and will see to the next as well. */
  synchronized boolean longLook(long now) {
    return underWay.stream().anyMatch(look -> look.full() && takesLong(look, now - look.since()));
  }

  private static boolean takesLong(ClaimPlan look, long nanos) {
    return (look.slow() || nanos > LONG_LOOK_NANOS) && nanos < LONGEST_LOOK_NANOS;
  }

  boolean none() {
    return types.isEmpty();
  }

  /** Returns true if no job is known of in any lane that may be looked at. */
  synchronized boolean quiet() {
    endRests(System.nanoTime());
    return cursors.entrySet().stream()
        .filter(lane -> lane.getValue().busy)
        .map(lane -> lane.getKey().type())
        .noneMatch(type -> !resting.containsKey(type) && !limits.full(type));
  }

  /** Leaves the lanes of a type alone until then. */
  synchronized void rest(String type, long until) {
    resting.put(type, until);
    expectAnywhere(type);
  }

  /** There may be jobs in any lane of a type: nothing that is learnt of others says more of it. */
  private void expectAnywhere(String type) {
    for (int priority = 0; priority <= 9; priority++) {
      own(new Key(type, priority)).busy = true;
    }
  }

  /** Returns true while the lanes of a type are left alone. */
  synchronized boolean rests(String type) {
    endRests(System.nanoTime());
    return resting.containsKey(type);
  }

  private void endRests(long now) {
    if (!resting.isEmpty()) {
      resting.values().removeIf(until -> now - until >= 0);
    }
  }

  /** Whether jobs of this type are looked for. */
  boolean goThrough(String type) {
    return types.contains(type);
  }

  /** Whether there have been jobs lately, so that dead entries may be in the way. */
  synchronized boolean usedLately(long now) {
    return !cursors.isEmpty() || (used && now - lastUse < USED_NANOS);
  }

  /** The position at or below which nothing is left in any lane. */
  synchronized long floor(long now) {
    startOverIfDue(now);
    return cursors.values().stream()
        .mapToLong(cursor -> cursor.done)
        .reduce(others.done, Math::min);
  }

  private void startOverIfDue(long now) {
    if (now - lastStart > START_OVER_NANOS) {
      lastStart = now;
      setBack();
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

  /** Where a claim is to look that is not subject to limits of types on this node. */
  ClaimPlan next(long now) {
    return next(now, TypePlaces.NONE);
  }

  /** Where a claim is to look. It passes by the types that it gets no place of. */
  synchronized ClaimPlan next(long now, TypePlaces places) {
    startOverIfDue(now);
    boolean full = (fullLookDue || now - lastFullLook > fullLookEvery) && !longLook(now);
    return plan(full, now, places);
  }

  /** Where a claim is to look that is to prove that nothing is there. */
  synchronized ClaimPlan everywhere(long now) {
    startOverIfDue(now);
    return plan(true, now, TypePlaces.NONE);
  }

  private ClaimPlan plan(boolean full, long now, TypePlaces places) {
    if (full) {
      lastFullLook = now;
      fullLookDue = false;
    }
    // Among lanes of one priority the first is a different one each time, so that no type waits for
    // another for ever.
    turn++;
    endRests(now);
    Set<String> passedBy = new HashSet<>(resting.keySet());
    Predicate<String> open =
        type -> !passedBy.contains(type) && (places.admits(type) || !passedBy.add(type));
    List<Lane> lanes = full ? allLanes(open) : busyLanes(open);
    if (full) {
      passedBy.forEach(this::expectAnywhere);
    }
    boolean slow = fromTheStart || fullLookEvery > FULL_LOOK_NANOS;
    fromTheStart &= !full;
    ClaimPlan look =
        new ClaimPlan(
            full, now, slow, watermark.settled(), setBacks, asked, arrivals, passedBy, lanes);
    if (!lanes.isEmpty()) {
      underWay.add(look);
    }
    return look;
  }

  /** A look that leaves out some types after all: a limit over all nodes allows no job of them. */
  synchronized ClaimPlan passBy(ClaimPlan look, Set<String> some) {
    underWay.remove(look);
    some.forEach(this::expectAnywhere);
    ClaimPlan rest = look.without(some);
    if (rest.lanes().isEmpty()) {
      notify();
    } else {
      underWay.add(rest);
    }
    return rest;
  }

  private List<Lane> allLanes(Predicate<String> open) {
    List<String> order = new ArrayList<>(types.stream().filter(open).toList());
    Collections.rotate(order, turn);
    List<Lane> lanes = new ArrayList<>();
    for (int priority = 9; priority >= 0; priority--) {
      for (String type : order) {
        Key lane = new Key(type, priority);
        lanes.add(lane(lane, cursors.getOrDefault(lane, others).done));
      }
    }
    return lanes;
  }

  private List<Lane> busyLanes(Predicate<String> open) {
    return cursors.entrySet().stream()
        .filter(entry -> entry.getValue().busy && open.test(entry.getKey().type()))
        .sorted(
            Comparator.comparingInt((Map.Entry<Key, Cursor> entry) -> -entry.getKey().priority())
                .thenComparingInt(
                    entry -> Math.floorMod(entry.getValue().place + turn, types.size())))
        .map(entry -> lane(entry.getKey(), entry.getValue().seen))
        .toList();
  }

  private Lane lane(Key lane, long after) {
    long micros = speeds.costNanos(lane.type()) / 1_000;
    return new Lane(lane.type(), lane.priority(), after + 1, micros);
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
  synchronized void found(ClaimPlan look, List<ClaimedJob> jobs, int most, long now) {
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
    Map<Key, LongSummaryStatistics> found =
        jobs.stream()
            .collect(
                Collectors.groupingBy(
                    job -> new Key(job.type(), job.priority()),
                    Collectors.summarizingLong(ClaimedJob::position)));
    if (!jobs.isEmpty()) {
      used(now);
    }
    long left = most;
    for (Lane lane : look.lanes()) {
      Key key = new Key(lane.type(), lane.priority());
      LongSummaryStatistics here = found.getOrDefault(key, NONE);
      boolean exhausted = here.getCount() < left;
      Cursor cursor = here.getCount() > 0 ? own(key) : cursors.get(key);
      if (cursor != null) {
        found(look, lane, cursor, here, exhausted);
      }
      left -= here.getCount();
      if (left <= 0) {
        return;
      }
    }
    // A full look was asked for meanwhile: this one may have been too early.
    fullLookDue = !look.full() || !jobs.isEmpty() || tooEarly;
    if (look.full() && look.setBacks() == setBacks) {
      // No job is left at or below this position in any lane: lanes without jobs need no cursor.
      others.done = Math.max(others.done, look.settled());
      others.seen = Math.max(others.seen, others.done);
      cursors
          .entrySet()
          .removeIf(lane -> !passedBy(look, lane.getKey()) && atTheMarkOfOthers(lane.getValue()));
      if (cursors.isEmpty()) {
        // One that was large does not become small by itself.
        cursors = new HashMap<>();
      }
    }
  }

  private void found(
      ClaimPlan look, Lane lane, Cursor cursor, LongSummaryStatistics here, boolean exhausted) {
    boolean some = here.getCount() > 0;
    if (some) {
      cursor.busy = true;
      cursor.seen = look.full() ? here.getMax() : Math.max(cursor.seen, here.getMax());
    }
    if (exhausted) {
      // What has come meanwhile this look may have been too early for.
      cursor.busy = some || cursor.lastArrival > look.arrivals();
    }
    // Lanes that were set back since this look was planned stay back: it may have passed jobs that
    // were released since. A quick look counts if it began at or below what is done: else a full
    // one would read once more the entries of all jobs that have gone since.
    if (look.setBacks() == setBacks && lane.mark() <= cursor.done + 1) {
      long done = exhausted ? look.settled() : Math.min(here.getMax(), look.settled());
      cursor.done = Math.max(cursor.done, done);
      cursor.seen = Math.max(cursor.seen, cursor.done);
    }
  }

  private boolean passedBy(ClaimPlan look, Key lane) {
    return look.passedBy().contains(lane.type()) || resting.containsKey(lane.type());
  }

  private boolean atTheMarkOfOthers(Cursor cursor) {
    return !cursor.busy && cursor.seen <= others.seen;
  }

  private void used(long now) {
    used = true;
    lastUse = now;
  }

  /** Nobody knows what a look has found: its answer was lost, or it was refused. */
  synchronized void failed(ClaimPlan look) {
    underWay.remove(look);
    notify();
    for (Lane lane : look.lanes()) {
      Cursor cursor = cursors.getOrDefault(new Key(lane.type(), lane.priority()), others);
      cursor.done = Math.min(cursor.done, lane.mark() - 1);
      cursor.busy = true;
    }
    setBacks++;
    lookEverywhere();
  }

  /** A job is available again at a position that it had before: the next look begins no later. */
  synchronized void release(Claims.Released at) {
    if (goThrough(at.type())) {
      Cursor cursor = own(new Key(at.type(), at.priority()));
      cursor.done = Math.min(cursor.done, at.position() - 1);
      cursor.seen = Math.min(cursor.seen, at.position() - 1);
      cursor.busy = true;
      setBacks++;
      lookEverywhere();
    }
  }

  /** Looks everywhere from the start again, as after this node was cut off. */
  synchronized void startOver() {
    setBack();
    lookEverywhere();
  }

  /** The next full look, whenever it is due, begins at the start. */
  private void setBack() {
    fromTheStart = true;
    others.done = 0;
    cursors.values().forEach(cursor -> cursor.done = 0);
    setBacks++;
  }

  /** Starts over in a database that has drawn no position after this one. */
  synchronized void startOver(long lastDrawn) {
    others.seen = Math.min(others.seen, lastDrawn);
    cursors.values().forEach(cursor -> cursor.seen = Math.min(cursor.seen, lastDrawn));
    startOver();
  }

  /** A job has come to this lane. */
  synchronized void expect(String type, int priority) {
    arrivals++;
    if (goThrough(type)) {
      Cursor cursor = own(new Key(type, priority));
      cursor.busy = true;
      cursor.lastArrival = arrivals;
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
