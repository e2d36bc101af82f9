package org.readpast.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.faults.Story.Asked;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.EndedJob;
import org.readpast.faults.Story.Freed;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Spec;

/**
 * Describes a job that was running on a server when the server was killed.
 *
 * @param since when the server died, or later if other jobs of the queue were still ahead of this
 *     job
 * @param next when any node may claim the job again; the next worker may have other jobs to process
 *     first
 * @param alone true if no other fault delayed the servers that could take over
 * @param afterOutage true if the servers shared an outage shortly before the death
 */
record Takeover(
    Begun lost, Injected death, long since, long next, boolean alone, boolean afterOutage) {
  private static final long LEASE = 10_000_000;

  /** Returns the duration of the takeover, in microseconds. */
  long took() {
    return next - since;
  }

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
                    turn(story, lost.n(), death.begun(), next),
                    next,
                    story.faults().stream()
                        .noneMatch(
                            f ->
                                f.isGrave()
                                    && !lost.server().equals(f.server())
                                    && f.within(death.begun(), next)),
                    story.faults().stream()
                        .anyMatch(
                            f ->
                                f.isGrave()
                                    && f.server() == null
                                    && f.within(death.begun() - LEASE, death.begun()))));
          }
        }
      }
    }
    return all;
  }

  /** Returns the longest takeover in a story that no other fault delayed. */
  static long longest(Story story) {
    return all(story).stream().filter(Takeover::alone).mapToLong(Takeover::took).max().orElse(0);
  }

  /**
   * Returns true if the job began on the server after the server's previous death, and did not end.
   */
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

  /**
   * Returns true if another server held the job in between, and was lost before it began the job.
   */
  private static boolean betweenTimes(Story story, Begun lost, long next) {
    return story.begun().stream()
        .anyMatch(b -> b.n() == lost.n() && b.at() == next && b.attempt() > lost.attempt() + 1);
  }

  /**
   * Returns the time at which the job was the next one to be claimed. If the connection of a
   * TRANSACTIONAL job breaks, any node may claim the job, which no report records. Until another
   * node begins the job, jobs that are ahead of it are started.
   */
  private static long turn(Story story, int n, long death, long next) {
    Map<Integer, Spec> specs =
        story.asked().stream()
            .map(Asked::spec)
            .collect(Collectors.toMap(Spec::n, Function.identity(), (a, b) -> a));
    Spec spec = specs.get(n);
    if (spec == null || !spec.transactional()) {
      return death;
    }
    return story.begun().stream()
        .filter(b -> b.at() > death && b.at() < next)
        .filter(b -> specs.containsKey(b.n()) && specs.get(b.n()).goesBefore(spec))
        .mapToLong(Begun::at)
        .max()
        .orElse(death);
  }

  private static long nextSign(Story story, int n, long after) {
    return Stream.of(
            story.begun().stream().filter(b -> b.n() == n).map(Begun::at),
            story.freed().stream().filter(f -> f.n() == n).map(Freed::at),
            story.ended().stream().filter(e -> e.n() == n).map(EndedJob::ended))
        .flatMap(signs -> signs)
        .filter(at -> at > after)
        .min(Comparator.naturalOrder())
        .orElse(Long.MAX_VALUE);
  }
}
