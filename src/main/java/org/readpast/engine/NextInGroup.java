package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;

/**
 * Claims the next jobs in the groups of the jobs that have just run, by the statement that
 * acknowledges these. It is only for LEASED jobs, because a TRANSACTIONAL job ends in the
 * transaction of its handler.
 */
final class NextInGroup implements ClaimSource {
  // The first time equals the interval of full scans, which is how long a job of a higher priority
  // from another node may go unnoticed anyway. Releasing the next jobs of the groups and claiming
  // them again costs more than running them, so a receiver leaves the groups after the first time
  // only if other work is known to wait, and after the second in any case.
  private static final long IN_GROUPS_NANOS = ClaimCursors.FULL_LOOK_NANOS;
  private static final long LONGEST_IN_GROUPS_NANOS = 4 * IN_GROUPS_NANOS;

  // Finding the next job of a group takes as long as leasing two jobs. If four are leased at a
  // time, each costs a quarter less; if eight are, a third less.
  static final int OF_A_GROUP = 4;

  private final EngineContext at;
  private final ServedQueue served;
  private final BooleanSupplier wanted;
  private final long started = System.nanoTime();
  private LeasedJobs worked;

  /**
   * @param worked the jobs of one claim, all of which have run or were released
   * @param wanted returns true if the receiver is needed elsewhere
   */
  NextInGroup(EngineContext at, ServedQueue served, LeasedJobs worked, BooleanSupplier wanted) {
    this.at = at;
    this.served = served;
    this.worked = worked;
    this.wanted = wanted;
  }

  @Override
  public @Nullable LeasedJobs claim(Runnable more) {
    if (!mayGoOn() || !goesOn(served, worked, System.nanoTime() - started, wanted)) {
      at.acknowledgements().flush(worked);
      return null;
    }
    int most = Math.min(OF_A_GROUP, served.prefetch(worked.types()) / worked.size());
    Duration allowed = at.handlings().longestTimeout();
    List<ClaimedJob> next =
        at.budget()
            .claim(
                bytes ->
                    at.acknowledgements()
                        .flushAndLeaseNext(worked, allowed, Math.max(1, most), bytes),
                Function.identity());
    if (next.isEmpty()) {
      return null;
    }
    worked = new LeasedJobs(next, null);
    return worked;
  }

  private boolean mayGoOn() {
    return worked.grouped()
        && !served.limited()
        && worked.types().stream().noneMatch(at.typeLimits()::limits)
        && !served.slots().overstaffed()
        && !at.node().stopping();
  }

  /**
   * Returns true if a receiver stays in these groups.
   *
   * @param nanos how long it has been in them
   */
  static boolean goesOn(ServedQueue served, LeasedJobs worked, long nanos, BooleanSupplier wanted) {
    return nanos < IN_GROUPS_NANOS
        || (nanos < LONGEST_IN_GROUPS_NANOS
            // Otherwise their jobs take longer than expected, and other receivers should get some
            // of them.
            && worked.size() <= 2 * served.prefetch(worked.types())
            && served.quiet()
            && !wanted.getAsBoolean());
  }
}
