package org.readpast.modeltest;

import java.util.Map;
import java.util.TreeMap;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobState;
import org.readpast.api.PredecessorFailure;
import org.readpast.model.NewJob;

/** A job as it must be; times in ms since the sequence began. */
final class ModelJob {
  /** What it waits for, in the order in which it does. */
  enum Waits {
    PREDECESSOR,
    WAVE,
    GROUP
  }

  /** What stories call it: in the order of the enqueues. */
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

  /** How those have ended that it comes after; null: not, as far as it was told. */
  final Map<Long, Ending> after = new TreeMap<>();

  int priority;
  JobState state;
  Waits waitsFor;

  /**
   * Its place among those of its lane; of those that came to it together the same. Kept while it is
   * leased.
   */
  long place;

  long due;

  /** By how much the database may say something else. */
  long dueWithin = 900;

  Long expires;
  int attempt;
  int uncounted;

  /** Deaths charged to it; 0: it was leased at one; null: none since an attempt last returned. */
  Integer crashes;

  /** The deaths that are charged to it. */
  int deaths() {
    return crashes == null ? 0 : crashes;
  }

  int fence;
  int failures;

  /** How often it has ended. */
  int lives;

  /** 0: nobody. */
  int owner;

  long claimedAt;
  long deadline;

  /** Whether its node starts with it, of all that it claimed together. */
  boolean first;

  /** The fence under which a handler runs, as its node knows. */
  int startedFence;

  /** Whether the database knows that its handler has started. */
  boolean begun;

  /** Whether an open transaction has ended it. */
  boolean locked;

  /** Somebody wants it cancelled since then; null: nobody. */
  Long wished;

  /** Whether it may have started to run, so that it may have overtaken others. */
  boolean everFree;

  /** Stored no more. */
  boolean gone;

  /** How a predecessor has ended. */
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
    this.batch = asked.place().batch();
    this.wave = asked.place().wave();
    this.group = asked.place().group();
    this.holdsGroup = group != null && asked.place().groupFailure() == GroupFailure.HOLD;
    this.onFailure = asked.place().predecessorFailure();
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

  /** Whether it is not being worked. */
  boolean waits() {
    return live() && state != JobState.RUNNING;
  }

  boolean waits(Waits what) {
    return state == JobState.BLOCKED && waitsFor == what;
  }

  boolean expired(long now) {
    return expires != null && expires <= now;
  }

  /** Its group within its queue; null: none. */
  String line() {
    return group == null ? null : queue + "/" + group;
  }

  @Override
  public String toString() {
    return "#" + no;
  }
}
