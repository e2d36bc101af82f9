package org.readpast.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Over;

/**
 * Holds a fault, and the number of jobs that it interrupted.
 *
 * @param again the number of jobs that had been interrupted before
 */
record Struck(Injected fault, int transactional, int leased, int again) {

  /** Holds an attempt and the time during which it runs. */
  private record Attempt(String server, long from, long to, boolean transactional, boolean again) {}

  static List<Struck> all(Story story) {
    List<Attempt> attempts = attempts(story);
    List<Struck> all = new ArrayList<>();
    for (Injected fault : story.faults()) {
      List<Attempt> hit =
          attempts.stream()
              .filter(a -> fault.hits(a.server) && fault.within(a.from, a.to))
              .toList();
      int transactional = (int) hit.stream().filter(Attempt::transactional).count();
      all.add(
          new Struck(
              fault,
              transactional,
              hit.size() - transactional,
              (int) hit.stream().filter(Attempt::again).count()));
    }
    return all;
  }

  private static List<Attempt> attempts(Story story) {
    Map<String, Long> through = new HashMap<>();
    for (Over over : story.over()) {
      through.merge(key(over.n(), over.attempt(), over.server()), over.at(), Math::min);
    }
    Set<Integer> transactional = new HashSet<>();
    story.asked().stream()
        .filter(asked -> asked.spec().transactional())
        .forEach(asked -> transactional.add(asked.n()));
    Set<Integer> brokenOff = new HashSet<>();
    List<Attempt> attempts = new ArrayList<>();
    for (Begun begun : story.begun()) {
      Long to = through.get(key(begun.n(), begun.attempt(), begun.server()));
      attempts.add(
          new Attempt(
              begun.server(),
              begun.at(),
              // An interrupted attempt ends soon after its start.
              to == null ? begun.at() + 3_000_000 : to,
              transactional.contains(begun.n()),
              brokenOff.contains(begun.n())));
      if (to == null) {
        brokenOff.add(begun.n());
      }
    }
    return attempts;
  }

  private static String key(int n, int attempt, String server) {
    return n + " " + attempt + " " + server;
  }
}
