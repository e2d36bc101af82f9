package org.readpast.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.store.Lane;

/**
 * The lanes that a claim scans.
 *
 * @param since when it was planned
 * @param slow whether the scan is expected to take long
 * @param setBacks how many times lanes had been set back when it was planned
 * @param fullScansRequested how many times a full scan had been requested
 * @param arrivals how many times jobs had arrived in a lane
 * @param skippedTypes the types that it skips
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

  /** Returns the plan without the lanes of some types, which it skips in addition. */
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
