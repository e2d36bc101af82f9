package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;

/** Claims the jobs that are available in the lanes of a queue, the most urgent lane first. */
final class LaneClaims implements ClaimSource {
  // A twentieth of the work that a claim is for, so that no receiver waits long for its turn where
  // commits are slow.
  private static final long LONGEST_TURN_MILLIS = 5;

  private final EngineContext at;
  private final ServedQueue served;

  LaneClaims(EngineContext at, ServedQueue served) {
    this.at = at;
    this.served = served;
  }

  @Override
  public @Nullable LeasedJobs claim(Runnable more) throws InterruptedException {
    ClaimCursors lanes = served.lanes();
    lanes.awaitTurn(LONGEST_TURN_MILLIS);
    ClaimCursors.Plan look = lanes.next(System.nanoTime());
    int most = served.prefetch(look.types());
    Set<String> mayBeLost = at.handlings().endedInTransactions(served.queue());
    List<ClaimedJob> jobs = lease(lanes, look, most, at.handlings().longestTimeout(), mayBeLost);
    if (jobs.isEmpty()) {
      return null;
    }
    if (look.asked() != lanes.asked() || jobs.size() == most) {
      more.run();
    }
    return new LeasedJobs(jobs, null);
  }

  /**
   * Leases up to so many jobs of where a look goes, and has the lanes take note of what was found.
   *
   * @param allowed how long each may take
   * @param mayBeLost see {@link Claims.Most}
   */
  List<ClaimedJob> lease(
      ClaimCursors lanes,
      ClaimCursors.Plan look,
      int most,
      Duration allowed,
      Collection<String> mayBeLost) {
    if (look.lanes().isEmpty()) {
      lanes.found(look, List.of(), most, System.nanoTime());
      return List.of();
    }
    Claims.Leased leased = null;
    try {
      leased =
          at.budget()
              .claim(
                  bytes ->
                      lease(
                          look, new Claims.Most(most, bytes, TypeSpeeds.SPAN, allowed, mayBeLost)),
                  Claims.Leased::jobs);
    } finally {
      if (leased == null || leased.refused()) {
        lanes.failed(look);
      }
    }
    if (leased.refused()) {
      served.refused();
    } else {
      int found = leased.cut().isEmpty() ? most : leased.jobs().size();
      lanes.found(look, leased.jobs(), found, System.nanoTime());
      leased.cut().forEach(lanes::release);
    }
    return leased.jobs();
  }

  private Claims.Leased lease(ClaimCursors.Plan look, Claims.Most most) {
    String queue = served.queue();
    Integer limit = served.limit();
    int node = at.node().no();
    return limit == null
        ? at.claims().lease(queue, look.lanes(), most, node)
        : at.claims().leaseUpTo(limit, queue, look.lanes(), most, node);
  }
}
