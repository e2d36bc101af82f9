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
 * of the job, and for a leased job also {@code claim_no}. Where a job would become AVAILABLE, a job
 * that is not due yet becomes SCHEDULED instead, and a job that still waits for other jobs becomes
 * BLOCKED.
 */
public enum Transition {
  /** The jobs that it waited for have ended. */
  FREE(Set.of(BLOCKED), AVAILABLE),
  /** It is to become due at another moment; a moment in the past makes it AVAILABLE. */
  RESCHEDULE(Set.of(AVAILABLE, SCHEDULED), SCHEDULED),
  /** It is due. */
  PROMOTE(Set.of(SCHEDULED), AVAILABLE),
  /** A node leases it; a job that waits for its wave or group is leased as soon as it may start. */
  CLAIM(Set.of(AVAILABLE, BLOCKED), RUNNING),
  /** Its handler succeeded. */
  COMPLETE(Set.of(RUNNING), COMPLETED),
  /** Its handler failed or requested a later attempt, and attempts remain. */
  RETRY(Set.of(RUNNING), SCHEDULED),
  /** It has no attempts left, or failed permanently. */
  DISCARD(Set.of(RUNNING), DISCARDED),
  /** Its owner was lost or late while its handler ran. */
  RELEASE(Set.of(RUNNING), AVAILABLE),
  /** It was leased and has not started; the attempt does not count. */
  GIVE_BACK(Set.of(RUNNING), AVAILABLE),
  /** An operator cancels it; a running handler is asked to stop. */
  CANCEL(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), CANCELLED),
  /** It did not start in time; for a leased job, that is checked before its handler is called. */
  EXPIRE(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), EXPIRED),
  /** An operator resets it. */
  RESET(Set.of(DISCARDED, CANCELLED, EXPIRED), AVAILABLE);

  private final Set<JobState> from;
  private final JobState to;

  Transition(Set<JobState> from, JobState to) {
    this.from = from;
    this.to = to;
  }

  /** Returns true if a job in this state can make the transition. */
  public boolean allowedFrom(JobState state) {
    return from.contains(state);
  }

  /** Returns the states from which the transition starts, in the order of a job's life. */
  public List<JobState> from() {
    return from.stream().sorted().toList();
  }

  /** Returns the state to which the transition leads. */
  public JobState to() {
    return to;
  }
}
