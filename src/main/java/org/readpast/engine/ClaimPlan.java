package org.readpast.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.store.Lane;

/**
 * Where a claim is to look.
 *
 * @param since when it was planned
 * @param slow whether it may take long, as far as can be told
 * @param setBacks how often lanes had been set back when it was planned
 * @param asked how often everything was to be looked at
 * @param arrivals how often jobs had come to a lane
 * @param passedBy types that it leaves alone
 */
record ClaimPlan(
    boolean full,
    long since,
    boolean slow,
    long settled,
    long setBacks,
    long asked,
    long arrivals,
    Set<String> passedBy,
    List<Lane> lanes) {

  /** The types that it looks for. */
  Set<String> types() {
    return lanes.stream().map(Lane::type).collect(Collectors.toSet());
  }

  /** Returns it without the lanes of some types, which are passed by as well. */
  ClaimPlan without(Set<String> some) {
    Set<String> allPassedBy = new HashSet<>(passedBy);
    allPassedBy.addAll(some);
    List<Lane> left = lanes.stream().filter(lane -> !some.contains(lane.type())).toList();
    return new ClaimPlan(
        full, since, slow, settled, setBacks, asked, arrivals, Set.copyOf(allPassedBy), left);
  }
}
