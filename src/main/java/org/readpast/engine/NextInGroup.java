package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;

/**
 * Claims the next jobs in the groups of the jobs that have just run; the same statement
 * acknowledges the jobs that ran. The next jobs are claimed only after LEASED jobs, because a
 * TRANSACTIONAL job ends in the transaction of its handler.
 */
final class NextInGroup implements ClaimSource {
  // The first limit equals the interval of full scans, which is how long a new job of a higher
  // priority on another node may go unnoticed anyway. Releasing the next jobs of the groups and
  // claiming them again costs more than running them, so a receiver leaves its groups after the
  // first limit only if other jobs are known to wait, and after the second limit always.
  private static final long IN_GROUPS_NANOS = ClaimCursors.FULL_SCAN_NANOS;
  private static final long LONGEST_IN_GROUPS_NANOS = 4 * IN_GROUPS_NANOS;

  // Searching for the next job of a group takes as long as leasing two jobs. If four jobs are
  // leased at a time, each costs a quarter less; with eight jobs, a third less.
  static final int MAX_OF_GROUP = 4;

  private final EngineContext at;
  private final ServedQueue served;
  private final BooleanSupplier neededElsewhere;
  private final long started = System.nanoTime();
  private ClaimedJobs lastClaimed;

  /**
   * @param lastClaimed the jobs of the last claim; they have run or were released at each call
   * @param neededElsewhere returns true if the receiver is needed elsewhere
   */
  NextInGroup(
      EngineContext at,
      ServedQueue served,
      ClaimedJobs lastClaimed,
      BooleanSupplier neededElsewhere) {
    this.at = at;
    this.served = served;
    this.lastClaimed = lastClaimed;
    this.neededElsewhere = neededElsewhere;
  }

  /**
   * Acknowledges the jobs of the last claim, and claims the next jobs of their groups. Returns null
   * if the receiver is to leave the groups, or if no jobs were found.
   */
  @Override
  public @Nullable ClaimedJobs claim(Runnable more) {
    if (!mayContinue()
        || !staysInGroups(served, lastClaimed, System.nanoTime() - started, neededElsewhere)) {
      at.acknowledgements().flush(lastClaimed);
      return null;
    }
    int most = Math.min(MAX_OF_GROUP, served.prefetch(lastClaimed.types()) / lastClaimed.size());
    Duration allowed = at.handlers().longestTimeout();
    List<ClaimedJob> next =
        at.budget()
            .claim(
                bytes ->
                    at.acknowledgements()
                        .flushAndLeaseNext(lastClaimed, allowed, Math.max(1, most), bytes),
                Function.identity());
    if (next.isEmpty()) {
      return null;
    }
    lastClaimed = new ClaimedJobs(next, null, TypeSlots.NONE);
    return lastClaimed;
  }

  private boolean mayContinue() {
    return lastClaimed.grouped()
        && !served.limited()
        && lastClaimed.types().stream().noneMatch(at.typeLimits()::limits)
        && !served.slots().tooManyReceivers()
        && !at.node().stopping();
  }

  /**
   * Returns true if a receiver stays in the given groups.
   *
   * @param jobs the jobs of the last claim
   * @param nanos how long the receiver has run jobs of the groups
   */
  static boolean staysInGroups(
      ServedQueue served, ClaimedJobs jobs, long nanos, BooleanSupplier neededElsewhere) {
    return nanos < IN_GROUPS_NANOS
        || (nanos < LONGEST_IN_GROUPS_NANOS
            // If the claim had more than twice as many jobs as a claim would lease now, the jobs
            // take longer than expected, and other receivers should get some of them.
            && jobs.size() <= 2 * served.prefetch(jobs.types())
            && served.noKnownWork()
            && !neededElsewhere.getAsBoolean());
  }
}
