package org.readpast.engine;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;

/**
 * Claims what is next in the groups of the jobs just worked, by the statement that acknowledges
 * these. For LEASED jobs: the end of another commits with its handler's work.
 */
final class NextInGroup implements ClaimSource {
  // The first is how long a job of a higher priority from another node may go unnoticed. Releasing
  // what is next in the groups and claiming it again costs more than working it, so a receiver
  // leaves after the first only if other work is known to wait, and after the second in any case.
  private static final long IN_GROUPS_NANOS = ClaimCursors.FULL_LOOK_NANOS;
  private static final long LONGEST_IN_GROUPS_NANOS = 4 * IN_GROUPS_NANOS;

  // To find a group's next takes as long as to lease two: four at a time cost a quarter less each,
  // eight a third.
  static final int OF_A_GROUP = 4;

  private final EngineContext at;
  private final ServedQueue served;
  private final BooleanSupplier wanted;
  private final long started = System.nanoTime();
  private LeasedJobs worked;

  /**
   * @param worked jobs of one claim, all worked or released
   * @param wanted whether the receiver is wanted elsewhere
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

  /** Returns true if a receiver stays in these groups that has been in them for so long. */
  static boolean goesOn(ServedQueue served, LeasedJobs worked, long nanos, BooleanSupplier wanted) {
    return nanos < IN_GROUPS_NANOS
        || (nanos < LONGEST_IN_GROUPS_NANOS
            // Else their jobs take longer than expected: others are to have some of them.
            && worked.size() <= 2 * served.prefetch(worked.types())
            && served.quiet()
            && !wanted.getAsBoolean());
  }
}
