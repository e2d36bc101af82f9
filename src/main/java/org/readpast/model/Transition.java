package org.readpast.model;

import static org.readpast.api.JobState.AVAILABLE;
import static org.readpast.api.JobState.BLOCKED;
import static org.readpast.api.JobState.CANCELLED;
import static org.readpast.api.JobState.COMPLETED;
import static org.readpast.api.JobState.DISCARDED;
import static org.readpast.api.JobState.EXPIRED;
import static org.readpast.api.JobState.RUNNING;
import static org.readpast.api.JobState.SCHEDULED;

import java.util.List;
import java.util.Set;
import org.readpast.api.JobState;

/**
 * Lists every transition from one state to another. Each transition compares the id and the state
 * of the job, and for a leased job also {@code claim_no}. If a job would become AVAILABLE but is
 * not due yet, it becomes SCHEDULED instead; if it still waits for other jobs, it becomes BLOCKED.
 */
public enum Transition {
  /** The job no longer waits for other jobs. */
  FREE(Set.of(BLOCKED), AVAILABLE),
  /** The due time of the job is changed; a time in the past makes the job AVAILABLE. */
  RESCHEDULE(Set.of(AVAILABLE, SCHEDULED), SCHEDULED),
  /** The job has become due. */
  PROMOTE(Set.of(SCHEDULED), AVAILABLE),
  /**
   * A node leases the job; a job that waits for its wave or group is leased as soon as it may
   * start.
   */
  CLAIM(Set.of(AVAILABLE, BLOCKED), RUNNING),
  /** The handler of the job has succeeded. */
  COMPLETE(Set.of(RUNNING), COMPLETED),
  /**
   * The handler of the job has failed or requested a later attempt, and attempts remain. Without a
   * pause, the job becomes AVAILABLE.
   */
  RETRY(Set.of(RUNNING), SCHEDULED),
  /** The job has no attempts left, or has failed permanently. */
  DISCARD(Set.of(RUNNING), DISCARDED),
  /** The owner of the job was lost, or the job was overdue, while its handler was running. */
  RELEASE(Set.of(RUNNING), AVAILABLE),
  /** The job was leased and has not started; the attempt does not count. */
  GIVE_BACK(Set.of(RUNNING), AVAILABLE),
  /** The job is cancelled by an operator; a running handler is asked to stop. */
  CANCEL(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), CANCELLED),
  /**
   * The job has not started in time; for a leased job, this is checked before its handler is
   * called.
   */
  EXPIRE(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), EXPIRED),
  /** An operator resets the job. */
  RESET(Set.of(DISCARDED, CANCELLED, EXPIRED), AVAILABLE);

  private final Set<JobState> from;
  private final JobState to;

  Transition(Set<JobState> from, JobState to) {
    this.from = from;
    this.to = to;
  }

  /** Returns true if a job in the given state can make the transition. */
  public boolean allowedFrom(JobState state) {
    return from.contains(state);
  }

  /** Returns the states from which the transition starts, in the order of a job's life cycle. */
  public List<JobState> from() {
    return from.stream().sorted().toList();
  }

  /** Returns the state to which the transition leads. */
  public JobState to() {
    return to;
  }
}
