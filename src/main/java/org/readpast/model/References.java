package org.readpast.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.readpast.api.JobRejectedException;

/**
 * Resolves the names by which jobs of one enqueue call refer to each other. Each name must be
 * defined once, and the references must not form a cycle, not even through the waves of a batch.
 */
public final class References {
  private References() {}

  /**
   * Checks the names, and returns the index of each job.
   *
   * @throws JobRejectedException if a name is defined twice or is unknown, or if jobs wait for each
   *     other
   */
  public static Map<String, Integer> check(List<NewJob> jobs) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      String ref = jobs.get(i).dependencies().ref();
      if (ref != null && places.put(ref, i) != null) {
        throw new JobRejectedException(
            "ref '" + Names.excerpt(ref) + "' is used for two jobs; give each job its own ref");
      }
    }
    for (NewJob job : jobs) {
      for (String ref : job.dependencies().afterRefs()) {
        if (!places.containsKey(ref)) {
          throw new JobRejectedException(
              "after names '"
                  + Names.excerpt(ref)
                  + "', but no job of this call has that ref; name jobs of earlier calls"
                  + " by their ids");
        }
      }
    }
    refuseCircles(jobs, places);
    return places;
  }

  /**
   * Removes steps that wait for no remaining step until none of these is left, and refuses the jobs
   * if other steps remain.
   */
  private static void refuseCircles(List<NewJob> jobs, Map<String, Integer> places) {
    if (jobs.stream().allMatch(job -> job.dependencies().afterRefs().isEmpty())) {
      return;
    }
    List<Step> steps = steps(jobs, places);
    int[] waitsFor = steps.stream().mapToInt(step -> step.after().size()).toArray();
    List<List<Integer>> followers = new ArrayList<>();
    steps.forEach(step -> followers.add(new ArrayList<>()));
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < waitsFor.length; i++) {
      int follower = i;
      steps.get(i).after().forEach(before -> followers.get(before).add(follower));
      if (waitsFor[i] == 0) {
        free.add(i);
      }
    }
    int through = 0;
    for (Integer i = free.poll(); i != null; i = free.poll()) {
      through++;
      for (int follower : followers.get(i)) {
        if (--waitsFor[follower] == 0) {
          free.add(follower);
        }
      }
    }
    if (through < waitsFor.length) {
      throw new JobRejectedException(
          "the jobs wait for each other in a cycle: "
              + circle(steps, waitsFor)
              + "; remove one of these from after");
    }
  }

  /**
   * Represents a job, or the end of a wave of a batch.
   *
   * @param after the indexes of the steps that must end first
   */
  private record Step(String name, List<Integer> after) {}

  /** Returns the jobs in their order, followed by the waves. */
  private static List<Step> steps(List<NewJob> jobs, Map<String, Integer> places) {
    List<Step> steps = new ArrayList<>();
    Map<String, NavigableMap<Integer, Integer>> waves = new HashMap<>();
    for (NewJob job : jobs) {
      JobDependencies dependencies = job.dependencies();
      List<Integer> after = new ArrayList<>();
      dependencies.afterRefs().forEach(ref -> after.add(Objects.requireNonNull(places.get(ref))));
      steps.add(new Step(Names.excerpt(String.valueOf(dependencies.ref())), after));
      if (dependencies.batch() != null) {
        waves
            .computeIfAbsent(dependencies.batch(), b -> new TreeMap<>())
            .put(dependencies.wave(), 0);
      }
    }
    waves.forEach(
        (batch, of) -> {
          Map.Entry<Integer, Integer> lower = null;
          for (Map.Entry<Integer, Integer> wave : of.entrySet()) {
            List<Integer> after = new ArrayList<>();
            if (lower != null) {
              after.add(lower.getValue());
            }
            wave.setValue(steps.size());
            steps.add(
                new Step(
                    "wave " + wave.getKey() + " of batch '" + Names.excerpt(batch) + "'", after));
            lower = wave;
          }
        });
    for (int i = 0; i < jobs.size(); i++) {
      JobDependencies dependencies = jobs.get(i).dependencies();
      NavigableMap<Integer, Integer> of =
          dependencies.batch() == null ? null : waves.get(dependencies.batch());
      if (of != null) {
        steps.get(Objects.requireNonNull(of.get(dependencies.wave()))).after().add(i);
        Map.Entry<Integer, Integer> lower = of.lowerEntry(dependencies.wave());
        if (lower != null) {
          steps.get(i).after().add(lower.getValue());
        }
      }
    }
    return steps;
  }

  private static String circle(List<Step> steps, int[] waitsFor) {
    int i = 0;
    while (waitsFor[i] == 0) {
      i++;
    }
    // Each remaining step waits for another remaining step, so following them closes a cycle.
    List<Integer> way = new ArrayList<>();
    while (!way.contains(i)) {
      way.add(i);
      i = steps.get(i).after().stream().filter(p -> waitsFor[p] > 0).findFirst().orElseThrow();
    }
    StringBuilder text = new StringBuilder();
    for (int step : way.subList(way.indexOf(i), way.size())) {
      text.append(steps.get(step).name()).append(" after ");
    }
    return text.append(steps.get(i).name()).toString();
  }
}
