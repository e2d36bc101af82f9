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
 * Holds the positions from which the next claims in a queue start: a mark for each lane (type and
 * priority) that has jobs, and one mark for all other lanes.
 *
 * <p>A quick scan reads only the lanes that are known to have jobs, from the last position seen.
 * Claims therefore stay fast in spite of dead index entries. A full scan reads every lane, from the
 * position below which no more jobs can appear. A full scan is due twice a second, and after a
 * quick scan that found fewer jobs than were requested. A full scan finds jobs that were committed
 * late at an earlier position, and jobs of a higher priority that other nodes have enqueued. If a
 * full scan has to read millions of dead entries, it takes seconds. Other receivers then continue
 * with quick scans, and the next full scan starts later.
 */
final class ClaimCursors {
  static final long FULL_SCAN_NANOS = 500_000_000L;
  private static final long START_OVER_NANOS = 300_000_000_000L;
  private static final long RECENTLY_USED_NANOS = 600_000_000_000L;

  // Concurrent claims start at the same mark and skip rows that the other claims have just locked.
  // With eight receivers, a limit of two concurrent scans leaves a tenth more time for the jobs.
  private static final int MAX_CONCURRENT_SCANS = 2;

  // Full scans that only the timer triggers take up at most one fifth of the time.
  private static final int SHARE_OF_FULL_SCANS = 5;
  private static final long LONG_SCAN_NANOS = FULL_SCAN_NANOS / SHARE_OF_FULL_SCANS;
  // The time after which a full scan that has not returned no longer prevents another one.
  private static final long LONGEST_SCAN_NANOS = 10_000_000_000L;

  // Nodes share a database with thousands of queues, most of which are idle. A cursor is therefore
  // kept only while its lane has jobs.
  private Map<LaneKey, Cursor> cursors = new HashMap<>();
  private final Cursor defaultCursor = new Cursor(0, null);
  private final Watermark watermark;
  private final TypeSpeeds speeds;
  private final TypeLimits limits;
  private final Collection<String> types;
  // This class has more than six mutable fields, because a plan and the result of its scan must
  // agree on all of them, under one lock.
  private boolean fullScanDue = true;
  private boolean fromTheStart = true;
  private long lastFullScan;
  private long fullScanInterval = FULL_SCAN_NANOS;
  private long lastStart;
  private boolean used;
  private long lastUse;
  private int rotation;
  private long setBacks;
  private long fullScansRequested;
  private long arrivals;
  // The types that this node skips, with the time until which it skips each of them. The lanes of
  // skipped types keep their own cursors, because a scan that skips them shows nothing about their
  // jobs.
  private final Map<String, Long> skippedUntil = new HashMap<>();
  private final Set<ClaimPlan> plansInProgress =
      Collections.newSetFromMap(new IdentityHashMap<>(2));

  /**
   * @param types the job types, without duplicates
   */
  ClaimCursors(
      Collection<String> types, Watermark watermark, TypeSpeeds speeds, TypeLimits limits) {
    this.types = types;
    this.watermark = watermark;
    this.speeds = speeds;
    this.limits = limits;
  }

  private static final LongSummaryStatistics NONE = new LongSummaryStatistics();

  private record LaneKey(String type, int priority) {}

  /**
   * Holds the marks of a lane: no job is left at or below {@code done}, and the last job was found
   * at {@code seen}.
   */
  private static final class Cursor {
    private final int typeIndex;
    private long done;
    private long seen;
    private long lastArrival;
    private boolean busy;

    /**
     * @param typeIndex the index of the lane's type among the types of the queue
     * @param as the cursor whose marks the new cursor starts with, or null to start at 0
     */
    Cursor(int typeIndex, @Nullable Cursor as) {
      this.typeIndex = typeIndex;
      this.done = as == null ? 0 : as.done;
      this.seen = as == null ? 0 : as.seen;
    }
  }

  /**
   * Returns the cursor of a lane; creates it if the lane has shared the mark of all other lanes
   * until now.
   */
  private Cursor cursorOf(LaneKey lane) {
    return cursors.computeIfAbsent(lane, key -> new Cursor(typeIndex(key.type()), defaultCursor));
  }

  private int typeIndex(String type) {
    int typeIndex = 0;
    for (String one : types) {
      if (one.equals(type)) {
        return typeIndex;
      }
      typeIndex++;
    }
    throw new IllegalArgumentException(type);
  }

  /** Returns true if the last scan covered all lanes and no full scan has become due since. */
  synchronized boolean fullyScanned() {
    return none() || !fullScanDue;
  }

  /**
   * Returns true if a receiver is running a full scan that takes a long time. The receiver of a
   * long full scan also runs the next full scan.
   */
  synchronized boolean longScanInProgress(long now) {
    return plansInProgress.stream()
        .anyMatch(plan -> plan.full() && takesLong(plan, now - plan.since()));
  }

  private static boolean takesLong(ClaimPlan plan, long nanos) {
    return (plan.slow() || nanos > LONG_SCAN_NANOS) && nanos < LONGEST_SCAN_NANOS;
  }

  boolean none() {
    return types.isEmpty();
  }

  /** Returns true if none of the lanes that may be scanned is known to have jobs. */
  synchronized boolean noKnownJobs() {
    endSkips(System.nanoTime());
    return cursors.entrySet().stream()
        .filter(lane -> lane.getValue().busy)
        .map(lane -> lane.getKey().type())
        .noneMatch(type -> !skippedUntil.containsKey(type) && !limits.noSlotFree(type));
  }

  /** Skips the lanes of a type until the given time. */
  synchronized void skip(String type, long until) {
    skippedUntil.put(type, until);
    assumeJobsIn(type);
  }

  /**
   * Assumes that any lane of a type may have jobs, because scans of other types show nothing about
   * this type.
   */
  private void assumeJobsIn(String type) {
    for (int priority = 0; priority <= 9; priority++) {
      cursorOf(new LaneKey(type, priority)).busy = true;
    }
  }

  /** Returns true while the lanes of a type are skipped. */
  synchronized boolean skips(String type) {
    endSkips(System.nanoTime());
    return skippedUntil.containsKey(type);
  }

  private void endSkips(long now) {
    if (!skippedUntil.isEmpty()) {
      skippedUntil.values().removeIf(until -> now - until >= 0);
    }
  }

  /** Returns true if scans cover this type. */
  boolean covers(String type) {
    return types.contains(type);
  }

  /** Returns true if there were jobs recently, so that dead index entries may slow scans down. */
  synchronized boolean usedRecently(long now) {
    return !cursors.isEmpty() || (used && now - lastUse < RECENTLY_USED_NANOS);
  }

  /** Returns the position at or below which no job is left in any lane. */
  synchronized long floor(long now) {
    startOverIfDue(now);
    return cursors.values().stream()
        .mapToLong(cursor -> cursor.done)
        .reduce(defaultCursor.done, Math::min);
  }

  private void startOverIfDue(long now) {
    if (now - lastStart > START_OVER_NANOS) {
      lastStart = now;
      setBack();
    }
  }

  /** Waits while the maximum number of scans is in progress, at most for the given time. */
  synchronized void awaitFreeScan(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (plansInProgress.size() >= MAX_CONCURRENT_SCANS) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  /** Plans a claim to which the limits of types on this node do not apply. */
  ClaimPlan next(long now) {
    return next(now, TypeSlots.NONE);
  }

  /** Plans a claim that skips types whose limits on this node are reached. */
  synchronized ClaimPlan next(long now, TypeSlots slots) {
    startOverIfDue(now);
    boolean full =
        (fullScanDue || now - lastFullScan > fullScanInterval) && !longScanInProgress(now);
    return plan(full, now, slots);
  }

  /** Plans a full scan, which can show that no jobs are left. */
  synchronized ClaimPlan planFullScan(long now) {
    startOverIfDue(now);
    return plan(true, now, TypeSlots.NONE);
  }

  private ClaimPlan plan(boolean full, long now, TypeSlots slots) {
    if (full) {
      lastFullScan = now;
      fullScanDue = false;
    }
    // Lanes of the same priority take turns at being first, so that no type waits forever.
    rotation++;
    endSkips(now);
    Set<String> skippedTypes = new HashSet<>(skippedUntil.keySet());
    Predicate<String> open =
        type -> !skippedTypes.contains(type) && (slots.admits(type) || !skippedTypes.add(type));
    List<Lane> lanes = full ? allLanes(open) : busyLanes(open);
    if (full) {
      skippedTypes.forEach(this::assumeJobsIn);
    }
    boolean slow = fromTheStart || fullScanInterval > FULL_SCAN_NANOS;
    fromTheStart &= !full;
    ClaimPlan plan =
        new ClaimPlan(
            full,
            now,
            slow,
            watermark.low(),
            setBacks,
            fullScansRequested,
            arrivals,
            skippedTypes,
            lanes);
    if (!lanes.isEmpty()) {
      plansInProgress.add(plan);
    }
    return plan;
  }

  /** Removes types from a plan whose limits across all nodes are reached. */
  synchronized ClaimPlan withoutTypes(ClaimPlan plan, Set<String> some) {
    plansInProgress.remove(plan);
    some.forEach(this::assumeJobsIn);
    ClaimPlan remaining = plan.without(some);
    if (remaining.lanes().isEmpty()) {
      notify();
    } else {
      plansInProgress.add(remaining);
    }
    return remaining;
  }

  private List<Lane> allLanes(Predicate<String> open) {
    List<String> order = new ArrayList<>(types.stream().filter(open).toList());
    Collections.rotate(order, rotation);
    List<Lane> lanes = new ArrayList<>();
    for (int priority = 9; priority >= 0; priority--) {
      for (String type : order) {
        LaneKey lane = new LaneKey(type, priority);
        lanes.add(lane(lane, cursors.getOrDefault(lane, defaultCursor).done));
      }
    }
    return lanes;
  }

  private List<Lane> busyLanes(Predicate<String> open) {
    return cursors.entrySet().stream()
        .filter(entry -> entry.getValue().busy && open.test(entry.getKey().type()))
        .sorted(
            Comparator.comparingInt(
                    (Map.Entry<LaneKey, Cursor> entry) -> -entry.getKey().priority())
                .thenComparingInt(
                    entry -> Math.floorMod(entry.getValue().typeIndex + rotation, types.size())))
        .map(entry -> lane(entry.getKey(), entry.getValue().seen))
        .toList();
  }

  private Lane lane(LaneKey lane, long after) {
    long micros = speeds.costNanos(lane.type()) / 1_000;
    return new Lane(lane.type(), lane.priority(), after + 1, micros);
  }

  /** Returns the type of the first lane that is known to have jobs, or else the slowest type. */
  synchronized Set<String> expectedType(ClaimPlan plan) {
    return plan.lanes().stream()
        .max(Comparator.comparingLong(lane -> cursorAt(lane).busy ? Long.MAX_VALUE : lane.micros()))
        .map(lane -> Set.of(lane.type()))
        .orElse(Set.of());
  }

  private Cursor cursorAt(Lane lane) {
    return cursors.getOrDefault(new LaneKey(lane.type(), lane.priority()), defaultCursor);
  }

  /** Returns true if a scan is still in progress. */
  synchronized boolean scanInProgress() {
    return !plansInProgress.isEmpty();
  }

  /**
   * Updates the marks with the result of a scan. The jobs must be in the order of the lanes.
   *
   * @param most the maximum number of jobs of the scan; if a lane reached this number, the lanes
   *     after it were not scanned
   */
  synchronized void found(ClaimPlan plan, List<ClaimedJob> jobs, int most, long now) {
    boolean tooEarly = plan.fullScansRequested() != fullScansRequested;
    if (plan.lanes().isEmpty()) {
      return;
    }
    plansInProgress.remove(plan);
    notify();
    if (plan.full()) {
      fullScanInterval =
          Math.max(
              FULL_SCAN_NANOS,
              Math.min(LONGEST_SCAN_NANOS, SHARE_OF_FULL_SCANS * (now - plan.since())));
    }
    Map<LaneKey, LongSummaryStatistics> found =
        jobs.stream()
            .collect(
                Collectors.groupingBy(
                    job -> new LaneKey(job.type(), job.priority()),
                    Collectors.summarizingLong(ClaimedJob::position)));
    if (!jobs.isEmpty()) {
      used(now);
    }
    long left = most;
    for (Lane lane : plan.lanes()) {
      LaneKey key = new LaneKey(lane.type(), lane.priority());
      LongSummaryStatistics here = found.getOrDefault(key, NONE);
      boolean exhausted = here.getCount() < left;
      Cursor cursor = here.getCount() > 0 ? cursorOf(key) : cursors.get(key);
      if (cursor != null) {
        found(plan, lane, cursor, here, exhausted);
      }
      left -= here.getCount();
      if (left <= 0) {
        return;
      }
    }
    // If a full scan was requested in the meantime, this scan may have begun too early to see the
    // new jobs.
    fullScanDue = !plan.full() || !jobs.isEmpty() || tooEarly;
    if (plan.full() && plan.setBacks() == setBacks) {
      // No lane still has a job at or below this position, and lanes without jobs need no cursor.
      defaultCursor.done = Math.max(defaultCursor.done, plan.watermark());
      defaultCursor.seen = Math.max(defaultCursor.seen, defaultCursor.done);
      cursors
          .entrySet()
          .removeIf(lane -> !skipped(plan, lane.getKey()) && atDefaultMark(lane.getValue()));
      if (cursors.isEmpty()) {
        // A hash map does not shrink when entries are removed.
        cursors = new HashMap<>();
      }
    }
  }

  private void found(
      ClaimPlan plan, Lane lane, Cursor cursor, LongSummaryStatistics here, boolean exhausted) {
    boolean some = here.getCount() > 0;
    if (some) {
      cursor.busy = true;
      cursor.seen = plan.full() ? here.getMax() : Math.max(cursor.seen, here.getMax());
    }
    if (exhausted) {
      // Jobs that arrived in the meantime may have been committed too late for this scan to see
      // them.
      cursor.busy = some || cursor.lastArrival > plan.arrivals();
    }
    // If a lane was set back after this scan was planned, it stays set back, because the scan may
    // have skipped jobs that were released later. A quick scan also moves the mark, if the scan
    // started at or below the mark. If the mark did not move, the next full scan would read the
    // index entries of all jobs that have been claimed since.
    if (plan.setBacks() == setBacks && lane.mark() <= cursor.done + 1) {
      long done = exhausted ? plan.watermark() : Math.min(here.getMax(), plan.watermark());
      cursor.done = Math.max(cursor.done, done);
      cursor.seen = Math.max(cursor.seen, cursor.done);
    }
  }

  private boolean skipped(ClaimPlan plan, LaneKey lane) {
    return plan.skippedTypes().contains(lane.type()) || skippedUntil.containsKey(lane.type());
  }

  private boolean atDefaultMark(Cursor cursor) {
    return !cursor.busy && cursor.seen <= defaultCursor.seen;
  }

  private void used(long now) {
    used = true;
    lastUse = now;
  }

  /**
   * Sets the lanes of a scan back, because its result is unknown: its response was lost, or the
   * claim was refused.
   */
  synchronized void failed(ClaimPlan plan) {
    plansInProgress.remove(plan);
    notify();
    for (Lane lane : plan.lanes()) {
      Cursor cursor = cursorAt(lane);
      cursor.done = Math.min(cursor.done, lane.mark() - 1);
      // The default cursor stands for all other lanes, which the full scan covers.
      cursor.busy |= cursor != defaultCursor;
    }
    setBacks++;
    requestFullScan();
  }

  /** Moves the marks of a lane back to a job that is available again at its earlier position. */
  synchronized void moveBack(Claims.ReopenedLane at) {
    if (covers(at.type())) {
      Cursor cursor = cursorOf(new LaneKey(at.type(), at.priority()));
      cursor.done = Math.min(cursor.done, at.position() - 1);
      if (at.position() == 0) {
        // Position 0 stands for the whole lane, which only one receiver then scans from the start.
        fromTheStart = true;
      } else {
        cursor.seen = Math.min(cursor.seen, at.position() - 1);
      }
      cursor.busy = true;
      setBacks++;
      requestFullScan();
    }
  }

  /** Makes the next scan a full scan from the start, for example after this node was cut off. */
  synchronized void startOver() {
    setBack();
    requestFullScan();
  }

  /** Makes the next full scan begin at the start, whenever that scan is due. */
  private void setBack() {
    fromTheStart = true;
    defaultCursor.done = 0;
    cursors.values().forEach(cursor -> cursor.done = 0);
    setBacks++;
  }

  /**
   * Starts over after the database has lost commits; no position after the given one has been
   * assigned.
   */
  synchronized void startOver(long lastPosition) {
    defaultCursor.seen = Math.min(defaultCursor.seen, lastPosition);
    cursors.values().forEach(cursor -> cursor.seen = Math.min(cursor.seen, lastPosition));
    startOver();
  }

  /** Records that a job has arrived in a lane. */
  synchronized void jobArrived(String type, int priority) {
    arrivals++;
    if (covers(type)) {
      Cursor cursor = cursorOf(new LaneKey(type, priority));
      cursor.busy = true;
      cursor.lastArrival = arrivals;
    }
  }

  /** Returns how many times a full scan was requested. */
  synchronized long fullScansRequested() {
    return fullScansRequested;
  }

  /** Makes the next scan a full scan, because jobs may have arrived in any lane. */
  synchronized void requestFullScan() {
    fullScansRequested++;
    fullScanDue = true;
  }
}
