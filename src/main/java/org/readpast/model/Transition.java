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
 * Every way from one state to another. Each compares id and state, and of a leased job also {@code
 * claim_no}. Where a job becomes AVAILABLE, one that is not due yet becomes SCHEDULED instead, and
 * one that still has others to wait for BLOCKED.
 */
public enum Transition {
  /** The jobs that it waited for have ended. */
  FREE(Set.of(BLOCKED), AVAILABLE),
  /** It is to become due at another moment; one that has passed makes it AVAILABLE. */
  RESCHEDULE(Set.of(AVAILABLE, SCHEDULED), SCHEDULED),
  /** It is due. */
  PROMOTE(Set.of(SCHEDULED), AVAILABLE),
  /** A node leases it; a job that waits for its wave or group is leased as soon as it may start. */
  CLAIM(Set.of(AVAILABLE, BLOCKED), RUNNING),
  /** Its handler succeeded. */
  COMPLETE(Set.of(RUNNING), COMPLETED),
  /** Its handler failed or asked for a later attempt, and attempts remain. */
  RETRY(Set.of(RUNNING), SCHEDULED),
  /** Out of attempts, or failed for good. */
  DISCARD(Set.of(RUNNING), DISCARDED),
  /** Its owner was lost or late while its handler ran. */
  RELEASE(Set.of(RUNNING), AVAILABLE),
  /** It was leased and has not started; the attempt does not count. */
  GIVE_BACK(Set.of(RUNNING), AVAILABLE),
  /** An operator cancels it; a running handler is asked to end. */
  CANCEL(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), CANCELLED),
  /** It did not start in time, which for a leased job is checked before its handler is called. */
  EXPIRE(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), EXPIRED),
  /** An operator brings it back. */
  RESET(Set.of(DISCARDED, CANCELLED, EXPIRED), AVAILABLE);

  private final Set<JobState> from;
  private final JobState to;

  Transition(Set<JobState> from, JobState to) {
    this.from = from;
    this.to = to;
  }

  /** Whether a job in this state can make it. */
  public boolean allowedFrom(JobState state) {
    return from.contains(state);
  }

  /** The states it starts from, in the order of a job's life. */
  public List<JobState> from() {
    return from.stream().sorted().toList();
  }

  /** The state it ends in. */
  public JobState to() {
    return to;
  }
}
