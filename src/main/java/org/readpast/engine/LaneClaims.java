package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.store.ClaimedJob;
import org.readpast.store.Claims;

/** Claims the available jobs from the lanes of a queue, the most urgent lane first. */
final class LaneClaims implements ClaimSource {
  // A twentieth of the work that one claim is for, so that no receiver waits long for its turn if
  // commits are slow.
  private static final long LONGEST_TURN_MILLIS = 5;

  // About as long as another claim holds the lock of a limit while it counts.
  private static final long CONTENDED_MILLIS = 2;
  private static final int MOST_CONTENDED = 10;

  private final EngineContext at;
  private final ServedQueue served;
  private Claims.Leased last = Claims.Leased.NOTHING;

  LaneClaims(EngineContext at, ServedQueue served) {
    this.at = at;
    this.served = served;
  }

  @Override
  public @Nullable LeasedJobs claim(Runnable more) throws InterruptedException {
    LeasedJobs jobs = look(more);
    for (int i = 0; jobs == null && i < MOST_CONTENDED && !lockedTypes().isEmpty(); i++) {
      Thread.sleep(CONTENDED_MILLIS);
      jobs = look(more);
    }
    // Another receiver claims these types later, because the transaction that holds the lock may be
    // frozen.
    at.typeLimits().refused(lockedTypes(), served.queue());
    return jobs;
  }

  private Set<String> lockedTypes() {
    return last.passedBy().locked();
  }

  private @Nullable LeasedJobs look(Runnable more) throws InterruptedException {
    ClaimCursors lanes = served.lanes();
    lanes.awaitTurn(LONGEST_TURN_MILLIS);
    TypePlaces places = at.typeLimits().places(served.queue());
    List<ClaimedJob> jobs = List.of();
    ClaimPlan look;
    int most;
    try {
      look = lanes.next(System.nanoTime(), places);
      most = served.prefetch(look.types());
      Set<String> mayBeLost = at.handlings().endedInTransactions(served.queue());
      jobs = lease(lanes, look, most, at.handlings().longestTimeout(), mayBeLost);
    } finally {
      places.claimed(jobs, last.passedBy().all());
    }
    if (jobs.isEmpty()) {
      return null;
    }
    if (last.more()) {
      // No node reports when a job of a limited type ends. Another receiver finds out whether the
      // limit allows one more job now; if it does not, the listener retries.
      served.slots().leaveUnattended();
    }
    try {
      if (look.asked() != lanes.asked() || jobs.size() == most || last.more()) {
        more.run();
      }
    } catch (RuntimeException | Error e) {
      // The heartbeat releases a lease that nothing on this node holds.
      places.release(false);
      throw e;
    }
    return new LeasedJobs(jobs, null, places);
  }

  /**
   * Leases up to this many jobs from the lanes of a plan, and updates the marks of these lanes.
   *
   * @param allowed how long each job may take
   * @param mayBeLost see {@link Claims.Most}
   */
  List<ClaimedJob> lease(
      ClaimCursors lanes,
      ClaimPlan look,
      int most,
      Duration allowed,
      Collection<String> mayBeLost) {
    last = Claims.Leased.NOTHING;
    if (look.lanes().isEmpty()) {
      lanes.found(look, List.of(), most, System.nanoTime());
      return List.of();
    }
    Claims.GlobalLimits limits =
        new Claims.GlobalLimits(served.limit(), at.typeLimits().overAllNodes(look.lanes()));
    Claims.Leased leased = null;
    try {
      leased =
          at.budget()
              .claim(
                  bytes ->
                      lease(
                          limits,
                          look,
                          new Claims.Most(most, bytes, TypeSpeeds.SPAN, allowed, mayBeLost)),
                  Claims.Leased::jobs);
    } finally {
      if (leased == null || leased.refused()) {
        lanes.failed(look);
      }
    }
    last = leased;
    if (leased.refused()) {
      served.refused();
    } else {
      boolean all = leased.cut().isEmpty() && !leased.more();
      int found = all ? most : leased.jobs().size();
      lanes.found(passedBy(lanes, look, limits, leased), leased.jobs(), found, System.nanoTime());
      leased.cut().forEach(lanes::release);
    }
    return leased.jobs();
  }

  /**
   * Returns true if the last claim treated a limit as reached because another claim was counting.
   */
  boolean contended() {
    return last.contended();
  }

  /** Returns true if the last claim found that the limit of the queue was reached. */
  boolean refused() {
    return last.refused();
  }

  private Claims.Leased lease(Claims.GlobalLimits limits, ClaimPlan look, Claims.Most most) {
    String queue = served.queue();
    int node = at.node().no();
    return limits.none()
        ? at.claims().lease(queue, look.lanes(), most, node)
        : at.claims().leaseWithin(limits, queue, look.lanes(), most, node);
  }

  /** Returns the plan without the types of which a limit over all nodes allowed no job. */
  private ClaimPlan passedBy(
      ClaimCursors lanes, ClaimPlan look, Claims.GlobalLimits limits, Claims.Leased leased) {
    Set<String> limited = leased.passedBy().all();
    if (limited.isEmpty()) {
      return look;
    }
    at.typeLimits().refused(leased.passedBy().reached(), served.queue());
    return lanes.passBy(
        look,
        look.types().stream()
            .filter(type -> limited.contains(limits.types().getOrDefault(type, "")))
            .collect(Collectors.toSet()));
  }
}
