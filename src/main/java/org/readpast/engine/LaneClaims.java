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
  // This time is a twentieth of the work that a claim is meant for, so that receivers wait only
  // briefly for other scans if commits are slow.
  private static final long LONGEST_SCAN_WAIT_MILLIS = 5;

  // The approximate time for which another claim holds the lock of a limit while it counts.
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
  public @Nullable ClaimedJobs claim(Runnable more) throws InterruptedException {
    ClaimedJobs jobs = claimOnce(more);
    for (int i = 0; jobs == null && i < MOST_CONTENDED && !lockedTypes().isEmpty(); i++) {
      Thread.sleep(CONTENDED_MILLIS);
      jobs = claimOnce(more);
    }
    // Types whose limit is locked are left to a later claim, because the transaction that holds the
    // lock may be frozen.
    at.typeLimits().setLimitReached(lockedTypes(), served.queue());
    return jobs;
  }

  private Set<String> lockedTypes() {
    return last.skippedTypes().locked();
  }

  private @Nullable ClaimedJobs claimOnce(Runnable more) throws InterruptedException {
    ClaimCursors cursors = served.cursors();
    cursors.awaitFreeScan(LONGEST_SCAN_WAIT_MILLIS);
    TypeSlots slots = at.typeLimits().slots(served.queue());
    List<ClaimedJob> jobs = List.of();
    ClaimPlan plan;
    int most;
    try {
      plan = cursors.next(System.nanoTime(), slots);
      // Other nodes skip the jobs that a claim locks, so it must not lock many slow jobs.
      most = served.prefetch(cursors.expectedType(plan));
      Set<String> mayBeLost = at.handlers().endedInTransactions(served.queue());
      jobs = lease(cursors, plan, most, at.handlers().longestTimeout(), mayBeLost);
    } finally {
      slots.claimed(jobs, last.skippedTypes().all());
    }
    if (jobs.isEmpty()) {
      return null;
    }
    if (last.more()) {
      // No node reports when a job of a limited type ends. Another receiver checks whether the
      // limit now allows one more job. If the limit does not, the listener retries.
      served.slots().setWakeUpPending();
    }
    if (plan.fullScansRequested() != cursors.fullScansRequested()
        || jobs.size() == most
        || last.more()) {
      more.run();
    }
    return new ClaimedJobs(jobs, null, slots);
  }

  /**
   * Leases jobs up to a maximum number from the lanes of a plan, and updates the marks of the
   * lanes.
   *
   * @param allowed the maximum time for which each job may run
   * @param mayBeLost the types whose leases may be lost (see {@link Claims.ClaimBounds})
   */
  List<ClaimedJob> lease(
      ClaimCursors cursors,
      ClaimPlan plan,
      int most,
      Duration allowed,
      Collection<String> mayBeLost) {
    last = Claims.Leased.NOTHING;
    if (plan.lanes().isEmpty()) {
      cursors.found(plan, List.of(), most, System.nanoTime());
      return List.of();
    }
    Claims.GlobalLimits limits =
        new Claims.GlobalLimits(served.limit(), at.typeLimits().overAllNodes(plan.lanes()));
    Claims.Leased leased = null;
    try {
      leased =
          at.budget()
              .claim(
                  bytes ->
                      lease(
                          limits,
                          plan,
                          new Claims.ClaimBounds(most, bytes, TypeSpeeds.SPAN, allowed, mayBeLost)),
                  Claims.Leased::jobs);
    } finally {
      if (leased == null || leased.limitReached()) {
        cursors.failed(plan);
      }
    }
    last = leased;
    if (leased.limitReached()) {
      served.setLimitReached();
    } else {
      boolean all = leased.cut().isEmpty() && !leased.more();
      int found = all ? most : leased.jobs().size();
      cursors.found(
          withoutLimitedTypes(cursors, plan, limits, leased),
          leased.jobs(),
          found,
          System.nanoTime());
      leased.cut().forEach(cursors::moveBack);
    }
    return leased.jobs();
  }

  /** Returns true if the last claim treated a limit as reached because another one counted. */
  boolean contended() {
    return last.contended();
  }

  /** Returns true if the last claim found that the limit of the queue was reached. */
  boolean limitReached() {
    return last.limitReached();
  }

  private Claims.Leased lease(
      Claims.GlobalLimits limits, ClaimPlan plan, Claims.ClaimBounds bounds) {
    String queue = served.queue();
    int node = at.node().no();
    return limits.none()
        ? at.claims().lease(queue, plan.lanes(), bounds, node)
        : at.claims().leaseWithin(limits, queue, plan.lanes(), bounds, node);
  }

  /** Returns the plan without the types whose limit across all nodes is reached. */
  private ClaimPlan withoutLimitedTypes(
      ClaimCursors cursors, ClaimPlan plan, Claims.GlobalLimits limits, Claims.Leased leased) {
    Set<String> limited = leased.skippedTypes().all();
    if (limited.isEmpty()) {
      return plan;
    }
    at.typeLimits().setLimitReached(leased.skippedTypes().reached(), served.queue());
    return cursors.withoutTypes(
        plan,
        plan.types().stream()
            .filter(type -> limited.contains(limits.types().getOrDefault(type, "")))
            .collect(Collectors.toSet()));
  }
}
