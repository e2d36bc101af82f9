package org.readpast.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.readpast.api.CatchUp;
import org.readpast.api.Overlap;

/**
 * Holds the decisions about the planned times of a schedule that have been reached.
 *
 * @param fired the planned times for which a job is enqueued, in order
 * @param skipped the planned times for which no job is enqueued
 * @param next the first planned time that has not been reached yet
 */
public record Firing(List<Instant> fired, List<Skipped> skipped, Instant next) {

  /** Identifies why no job was enqueued at a planned time. */
  public enum Reason {
    /** No node was running, and the schedule does not catch up on this run. */
    MISSED,
    /** The job of the previous run was still live. */
    OVERLAP,
    /** The latest start had passed. */
    TOO_LATE
  }

  /**
   * Describes planned times without a job.
   *
   * @param at the last of the planned times
   * @param count the number of planned times; counting goes back a year, or a week if they are less
   *     than a minute apart
   */
  public record Skipped(Instant at, Reason reason, int count) {}

  /**
   * Limits the delay of a run that still starts as planned, because a node may have been restarted.
   */
  public static final Duration LATE = Duration.ofMinutes(1);

  private static final Duration LOOK_BACK = Duration.ofDays(366);
  private static final Duration SHORT_LOOK_BACK = Duration.ofDays(7);

  /**
   * Decides about all planned times of a schedule up to now.
   *
   * @param planned the first planned time that has not been decided yet
   * @param previousLive true if the job of the previous run has not ended
   */
  public static Firing of(
      ScheduleDefinition schedule, Instant planned, Instant now, boolean previousLive) {
    // Limits the work for a schedule that fires often and has not fired for years.
    Instant recent = schedule.timing().after(now.minus(longestLookBack(schedule.timing(), now)));
    Instant first = planned.isBefore(recent) && !recent.isAfter(now) ? recent : planned;
    Instant onTime = now.minus(LATE);
    boolean missed = planned.isBefore(onTime);
    int most = missed ? most(schedule) : Integer.MAX_VALUE;
    Deque<Instant> kept = new ArrayDeque<>();
    Instant lastLeftOut = planned;
    int leftOut = 0;
    Instant at = first;
    while (!at.isAfter(now)) {
      kept.addLast(at);
      if (kept.size() > most) {
        lastLeftOut = kept.removeFirst();
        leftOut++;
      }
      at = at.equals(planned) ? following(schedule.timing(), at) : schedule.timing().after(at);
    }
    if (missed && schedule.catchUp() == CatchUp.NONE && kept.getLast().isBefore(onTime)) {
      lastLeftOut = kept.removeLast();
      leftOut++;
    }
    List<Skipped> skipped = new ArrayList<>();
    if (leftOut > 0) {
      skipped.add(new Skipped(lastLeftOut, Reason.MISSED, leftOut));
    }
    List<Instant> fired = new ArrayList<>();
    for (Instant one : kept) {
      boolean live = previousLive || !fired.isEmpty();
      Duration window = schedule.latestStart();
      if (window != null && !one.plus(window).isAfter(now)) {
        skipped.add(new Skipped(one, Reason.TOO_LATE, 1));
      } else if (schedule.overlap() == Overlap.SKIP && live) {
        skipped.add(new Skipped(one, Reason.OVERLAP, 1));
      } else {
        fired.add(one);
      }
    }
    return new Firing(fired, skipped, at);
  }

  /**
   * Returns the planned time that follows the given one. If a node with other time zone data has
   * planned that run, the nearest planned time of this node means the same run, and does not cause
   * another one.
   */
  private static Instant following(Timing timing, Instant planned) {
    Instant next = timing.after(planned);
    Instant asFarBefore = planned.minus(Duration.between(planned, next));
    return timing.after(asFarBefore).equals(next) ? timing.after(next) : next;
  }

  private static Duration longestLookBack(Timing timing, Instant now) {
    Instant next = timing.after(now);
    boolean often = Duration.between(next, timing.after(next)).compareTo(LATE) < 0;
    return often ? SHORT_LOOK_BACK : LOOK_BACK;
  }

  /** Returns how many runs are caught up on after a time without a running node. */
  private static int most(ScheduleDefinition schedule) {
    return schedule.catchUp() == CatchUp.ALL ? schedule.catchUpCap() : 1;
  }
}
