package org.readpast.modeltest;

import java.util.Map;
import java.util.TreeMap;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.NewJob;

/** The expected state of a job. Times are in ms since the sequence began. */
final class ModelJob {
  /** The conditions that a job can wait for, in this order. */
  enum Waits {
    PREDECESSOR,
    WAVE,
    GROUP
  }

  /** The number of the job in failure messages, in the order of the enqueues. */
  final int no;

  final long id;
  final String queue;
  final String type;
  final String key;
  final Integer maxAttempts;
  final String batch;
  final int wave;
  final String group;
  final boolean holdsGroup;
  final PredecessorFailure onFailure;

  /** The known ends of its predecessors. A predecessor that has succeeded is removed. */
  final Map<Long, Ending> after = new TreeMap<>();

  int priority;
  JobState state;
  Waits waitsFor;

  /**
   * Its rank in its lane. Jobs that were added to the lane together have the same rank. It is kept
   * while the job is leased.
   */
  long place;

  long due;

  /** The tolerated difference between this due time and that of the database. */
  long dueWithin = 900;

  Long expires;
  int attempt;
  int uncounted;

  /**
   * The deaths charged to it; 0 if it was leased at one; null if there was none since an attempt
   * last returned.
   */
  Integer crashes;

  /** Returns the number of deaths that are charged to it. */
  int deaths() {
    return crashes == null ? 0 : crashes;
  }

  int fence;
  int failures;

  /** The number of times that it has ended. */
  int lives;

  /** 0 if no node owns it. */
  int owner;

  long claimedAt;
  long deadline;

  /** True if it is the first job of its claim, with which the node starts. */
  boolean first;

  /** The fence under which its handler has started, as its node knows. */
  int startedFence;

  /** True if the database knows that its handler has started. */
  boolean begun;

  /** True if an open transaction has ended it. */
  boolean locked;

  /** The time of the cancellation request, or null if there is none. */
  Long wished;

  /** True if it may have started to run, and so may have overtaken other jobs. */
  boolean everFree;

  /** True if it is no longer stored. */
  boolean gone;

  /** The known state of a predecessor that has not succeeded. */
  enum Ending {
    OPEN,
    BADLY
  }

  ModelJob(int no, long id, NewJob asked, long now) {
    this.no = no;
    this.id = id;
    this.queue = asked.queue();
    this.type = asked.type();
    this.priority = asked.priority();
    this.key = asked.uniqueKey();
    this.maxAttempts = asked.maxAttempts();
    this.batch = asked.dependencies().batch();
    this.wave = asked.dependencies().wave();
    this.group = asked.dependencies().group();
    this.holdsGroup = group != null && asked.dependencies().groupFailure() == GroupFailure.HOLD;
    this.onFailure = asked.dependencies().predecessorFailure();
    this.due = now + (asked.delay() == null ? 0 : asked.delay().toMillis());
    this.expires = asked.expiresIn() == null ? null : now + asked.expiresIn().toMillis();
    this.state = JobState.BLOCKED;
  }

  boolean live() {
    return !gone && !state.ended();
  }

  boolean endedBadly() {
    return state.ended() && state != JobState.COMPLETED;
  }

  /** Returns true if it is live and not running. */
  boolean waits() {
    return live() && state != JobState.RUNNING;
  }

  boolean waits(Waits what) {
    return state == JobState.BLOCKED && waitsFor == what;
  }

  boolean expired(long now) {
    return expires != null && expires <= now;
  }

  /** Returns its group, qualified by its queue, or null if it is in no group. */
  String line() {
    return group == null ? null : queue + "/" + group;
  }

  @Override
  public String toString() {
    return "#" + no;
  }
}
