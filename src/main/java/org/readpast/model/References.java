package org.readpast.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.api.JobRejectedException;

/** The names by which jobs of one call refer to each other: each known once, and no circles. */
public final class References {
  private References() {}

  /**
   * Checks them, and gives the index of each name.
   *
   * @throws JobRejectedException if a name is given twice, is unknown, or jobs wait for each other
   */
  public static Map<String, Integer> check(List<NewJob> jobs) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < jobs.size(); i++) {
      String ref = jobs.get(i).place().ref();
      if (ref != null && places.put(ref, i) != null) {
        throw new JobRejectedException(
            "ref '" + Names.excerpt(ref) + "' is given to two jobs; give each its own");
      }
    }
    for (NewJob job : jobs) {
      for (String ref : job.place().afterRefs()) {
        if (!places.containsKey(ref)) {
          throw new JobRejectedException(
              "after names '"
                  + Names.excerpt(ref)
                  + "', but no job of this call has that ref; jobs of earlier calls go by id");
        }
      }
    }
    refuseCircles(jobs, places);
    return places;
  }

  /** Takes away, again and again, what waits for nothing that is left. */
  private static void refuseCircles(List<NewJob> jobs, Map<String, Integer> places) {
    int[] waitsFor = new int[jobs.size()];
    Map<Integer, List<Integer>> followers = new HashMap<>();
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < jobs.size(); i++) {
      List<String> refs = jobs.get(i).place().afterRefs();
      waitsFor[i] = refs.size();
      for (String ref : refs) {
        followers.computeIfAbsent(places.getOrDefault(ref, i), p -> new ArrayList<>()).add(i);
      }
      if (refs.isEmpty()) {
        free.add(i);
      }
    }
    int through = 0;
    for (Integer i = free.poll(); i != null; i = free.poll()) {
      through++;
      for (int follower : followers.getOrDefault(i, List.of())) {
        if (--waitsFor[follower] == 0) {
          free.add(follower);
        }
      }
    }
    if (through < jobs.size()) {
      throw new JobRejectedException(
          "jobs wait for each other in a circle: "
              + circle(jobs, places, waitsFor)
              + "; leave one of these out of after");
    }
  }

  private static String circle(List<NewJob> jobs, Map<String, Integer> places, int[] waitsFor) {
    int i = 0;
    while (waitsFor[i] == 0) {
      i++;
    }
    // From one that is stuck, always on to a predecessor that is stuck: the way closes.
    List<Integer> way = new ArrayList<>();
    while (!way.contains(i)) {
      way.add(i);
      i =
          jobs.get(i).place().afterRefs().stream()
              .map(places::get)
              .filter(p -> waitsFor[p] > 0)
              .findFirst()
              .orElseThrow();
    }
    StringBuilder text = new StringBuilder();
    for (int step : way.subList(way.indexOf(i), way.size())) {
      text.append(Names.excerpt(String.valueOf(jobs.get(step).place().ref()))).append(" after ");
    }
    return text.append(Names.excerpt(String.valueOf(jobs.get(i).place().ref()))).toString();
  }
}
