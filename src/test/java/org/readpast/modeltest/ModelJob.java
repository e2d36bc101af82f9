package org.readpast.modeltest;

import java.util.Map;
import java.util.TreeMap;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.NewJob;

/**
 * Describes the expected state of a job in the model. Times are in ms since the start of the
 * sequence.
 */
final class ModelJob {
  /** Lists the conditions that a job can wait for, in the order in which they are checked. */
  enum Waits {
    PREDECESSOR,
    WAVE,
    GROUP
  }

  /**
   * Identifies the job in failure messages; jobs are numbered in the order in which they were
   * enqueued.
   */
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

  /**
   * Contains the known final states of the job's predecessors. A predecessor that has succeeded is
   * removed.
   */
  final Map<Long, Ending> after = new TreeMap<>();

  int priority;
  JobState state;
  Waits waitsFor;

  /**
   * Holds the rank of the job in its lane. Jobs that were added to the lane together have the same
   * rank. The rank is kept while the job is leased.
   */
  long place;

  long due;

  /** Limits the difference between the expected due time and that in the database. */
  long dueWithin = 900;

  Long expires;
  int attempt;
  int uncounted;

  /**
   * Counts the deaths with which the job is charged; 0 if it was only leased at a death; null if
   * there was none since an attempt last returned.
   */
  Integer crashes;

  /** Returns the number of deaths with which the job is charged. */
  int deaths() {
    return crashes == null ? 0 : crashes;
  }

  int fence;
  int failures;

  /** Counts how often the job has ended. */
  int lives;

  /** Identifies the node that owns the job; 0 if no node owns it. */
  int owner;

  long claimedAt;

  /** Is true if the job is the first of its claim, with which the node starts. */
  boolean first;

  /** Holds the claim number under which the job's handler has started, as known to the node. */
  int startedFence;

  /** Is true if the database knows that the handler of the job has started. */
  boolean begun;

  /** Is true if an open transaction has ended the job. */
  boolean locked;

  /** Holds the time of the cancellation request, or null if there is none. */
  Long cancellationRequested;

  /** Is true if the job may have started, and so may have overtaken other jobs. */
  boolean everFree;

  /** Is true if the job is no longer stored. */
  boolean gone;

  /** Identifies the known state of a predecessor that has not succeeded. */
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

  /** Returns true if the job is live and not running. */
  boolean waits() {
    return live() && state != JobState.RUNNING;
  }

  boolean waits(Waits what) {
    return state == JobState.BLOCKED && waitsFor == what;
  }

  boolean expired(long now) {
    return expires != null && expires <= now;
  }

  /** Returns the group of the job, qualified by its queue, or null if it is in no group. */
  String line() {
    return group == null ? null : queue + "/" + group;
  }

  @Override
  public String toString() {
    return "#" + no;
  }
}
