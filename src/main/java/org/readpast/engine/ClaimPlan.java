package org.readpast.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.store.Lane;

/**
 * Specifies the lanes that a claim scans.
 *
 * @param since when the claim was planned
 * @param slow true if the scan is expected to take a long time
 * @param setBacks how often lanes had been set back before the claim was planned
 * @param fullScansRequested how often a full scan had been requested before
 * @param arrivals how often jobs had arrived in a lane before
 * @param skippedTypes the types that the claim skips
 */
record ClaimPlan(
    boolean full,
    long since,
    boolean slow,
    long watermark,
    long setBacks,
    long fullScansRequested,
    long arrivals,
    Set<String> skippedTypes,
    List<Lane> lanes) {

  Set<String> types() {
    return lanes.stream().map(Lane::type).collect(Collectors.toSet());
  }

  /** Returns the plan without the lanes of the given types, which the new plan skips. */
  ClaimPlan without(Set<String> some) {
    Set<String> allSkipped = new HashSet<>(skippedTypes);
    allSkipped.addAll(some);
    List<Lane> remaining = lanes.stream().filter(lane -> !some.contains(lane.type())).toList();
    return new ClaimPlan(
        full,
        since,
        slow,
        watermark,
        setBacks,
        fullScansRequested,
        arrivals,
        Set.copyOf(allSkipped),
        remaining);
  }
}
