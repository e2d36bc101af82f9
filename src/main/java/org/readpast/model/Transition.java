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
 * Every way from one state to another; there is no other. Each is a compare-and-set on id, state
 * and claim_no. Where AVAILABLE is said, what is not due yet becomes SCHEDULED, and what has others
 * to wait for BLOCKED. In mode TRANSACTIONAL nobody sees a job RUNNING: its row is locked.
 */
public enum Transition {
  /** What it waited for has ended. */
  FREE(Set.of(BLOCKED), AVAILABLE),
  /** Its moment has come. */
  PROMOTE(Set.of(SCHEDULED), AVAILABLE),
  /** A node takes it; in mode TRANSACTIONAL together with what follows. */
  CLAIM(Set.of(AVAILABLE), RUNNING),
  /** The handler did it. */
  COMPLETE(Set.of(RUNNING), COMPLETED),
  /** The handler failed or asked for later, and attempts remain; without a pause AVAILABLE. */
  RETRY(Set.of(RUNNING), SCHEDULED),
  /** Out of attempts, or failed for good. */
  DISCARD(Set.of(RUNNING), DISCARDED),
  /** Its owner was lost; the attempt counts. */
  RELEASE(Set.of(RUNNING), AVAILABLE),
  /** Claimed, but not started; the attempt does not count. */
  GIVE_BACK(Set.of(RUNNING), AVAILABLE),
  /** An operator ends it; one in work is asked to end. */
  CANCEL(Set.of(AVAILABLE, SCHEDULED, BLOCKED, RUNNING), CANCELLED),
  /** Nobody started it in time; of one just claimed that shows before its handler is called. */
  EXPIRE(Set.of(AVAILABLE, SCHEDULED, BLOCKED), EXPIRED),
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
