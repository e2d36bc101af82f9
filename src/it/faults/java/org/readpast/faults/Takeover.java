package org.readpast.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Ended;
import org.readpast.faults.Story.Freed;
import org.readpast.faults.Story.Injected;

/**
 * A job that was in work on a server when that was killed.
 *
 * @param took from the death until the job is anybody's again, in microseconds; whoever is to work
 *     it may have others to work before
 * @param alone whether nothing held up meanwhile who could take over
 */
record Takeover(Begun lost, Injected death, long took, boolean alone) {
  static List<Takeover> all(Story story) {
    List<Takeover> all = new ArrayList<>();
    for (Injected death : story.faults()) {
      if (!death.kind().equals(Injected.KILL)) {
        continue;
      }
      for (Begun lost : story.begun()) {
        if (diedWith(story, lost, death)) {
          long next = nextSign(story, lost.n(), death.begun());
          if (next != Long.MAX_VALUE && !betweenTimes(story, lost, next)) {
            all.add(
                new Takeover(
                    lost,
                    death,
                    Math.max(0, next - death.begun()),
                    story.faults().stream()
                        .noneMatch(
                            f ->
                                f.isGrave()
                                    && !lost.server().equals(f.server())
                                    && f.within(death.begun(), next))));
          }
        }
      }
    }
    return all;
  }

  /** The longest of a story that nothing else has held up. */
  static long longest(Story story) {
    return all(story).stream().filter(Takeover::alone).mapToLong(Takeover::took).max().orElse(0);
  }

  /** Begun in the life that this death has ended, and not through. */
  private static boolean diedWith(Story story, Begun lost, Injected death) {
    return lost.server().equals(death.server())
        && lost.at() < death.begun()
        && story.faults().stream()
            .noneMatch(
                f ->
                    f.kind().startsWith(Injected.KILL)
                        && lost.server().equals(f.server())
                        && f.begun() >= lost.at()
                        && f.begun() < death.begun())
        && story.over().stream()
            .noneMatch(
                o ->
                    o.n() == lost.n()
                        && o.attempt() == lost.attempt()
                        && o.server().equals(lost.server()));
  }

  /** Whether another had it before that, and was lost too before it began. */
  private static boolean betweenTimes(Story story, Begun lost, long next) {
    return story.begun().stream()
        .anyMatch(b -> b.n() == lost.n() && b.at() == next && b.attempt() > lost.attempt() + 1);
  }

  private static long nextSign(Story story, int n, long after) {
    return Stream.of(
            story.begun().stream().filter(b -> b.n() == n).map(Begun::at),
            story.freed().stream().filter(f -> f.n() == n).map(Freed::at),
            story.ended().stream().filter(e -> e.n() == n).map(Ended::ended))
        .flatMap(signs -> signs)
        .filter(at -> at > after)
        .min(Comparator.naturalOrder())
        .orElse(Long.MAX_VALUE);
  }
}
