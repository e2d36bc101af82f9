package org.readpast.modeltest;

import java.util.ArrayList;
import java.util.List;
import org.readpast.modeltest.Commands.Step;

/** Reduces a failing sequence to one that is as short and simple as possible. */
final class Reduction {
  private static final long LONGEST_NANOS = 60_000_000_000L;

  private final long end = System.nanoTime() + LONGEST_NANOS;
  private List<Step> steps;
  private AssertionError failure;

  private Reduction(List<Step> steps, AssertionError failure) {
    this.steps = steps;
    this.failure = failure;
  }

  /**
   * Returns the failure of the simplest sequence that was found, or null if the given sequence does
   * not fail.
   */
  static AssertionError failureOf(List<Step> steps) {
    AssertionError failure = run(steps);
    if (failure == null) {
      return null;
    }
    Reduction reduction = new Reduction(steps, failure);
    reduction.reduce();
    return reduction.failure;
  }

  private static AssertionError run(List<Step> steps) {
    World world = new World();
    try {
      steps.forEach(step -> step.take(world));
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }

  private void reduce() {
    boolean better;
    do {
      better = false;
      for (int size = Math.max(1, steps.size() / 4); size >= 1; size /= 2) {
        for (int from = steps.size() - size; from >= 0; from -= size) {
          better |= from + size <= steps.size() && remove(from, size);
        }
      }
      for (int i = 0; i < steps.size(); i++) {
        better |= simplify(i);
      }
    } while (better);
  }

  /**
   * Removes steps. The reduction also tries to make later steps refer to the previous job, because
   * the numbers of jobs change when an enqueue is removed.
   */
  private boolean remove(int from, int size) {
    List<Step> before = steps.subList(0, from);
    List<Step> after = steps.subList(from + size, steps.size());
    return take(joined(before, after))
        || take(joined(before, after.stream().map(Step::before).toList()));
  }

  private static List<Step> joined(List<Step> before, List<Step> after) {
    List<Step> all = new ArrayList<>(before);
    all.addAll(after);
    return all;
  }

  private boolean simplify(int place) {
    boolean better = false;
    boolean found;
    do {
      found = false;
      for (Step simpler : steps.get(place).simpler().get()) {
        List<Step> with = new ArrayList<>(steps);
        with.set(place, simpler);
        if (take(with)) {
          found = true;
          better = true;
          break;
        }
      }
    } while (found);
    return better;
  }

  /** Keeps a simpler sequence if it also fails. Returns true if the sequence fails. */
  private boolean take(List<Step> simpler) {
    if (System.nanoTime() - end > 0) {
      return false;
    }
    AssertionError fails = run(simpler);
    if (fails == null) {
      return false;
    }
    steps = simpler;
    failure = fails;
    return true;
  }
}
