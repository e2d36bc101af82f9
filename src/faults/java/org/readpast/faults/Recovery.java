package org.readpast.faults;

import java.util.List;
import java.util.stream.Stream;
import org.readpast.faults.Story.EndedJob;
import org.readpast.faults.Story.Injected;

/**
 * Describes an outage of the database after which jobs ran again.
 *
 * @param took the microseconds until the next job has ended: from the start of a database that was
 *     stopped, or from the death of a leader that was replaced
 * @param alone true if during that time there was a server that no other fault held up
 */
record Recovery(Injected fault, long took, boolean alone) {
  // The time until the commits that were in progress when the leader died have failed.
  private static final long DYING = 1_000_000;

  static List<Recovery> all(Story story) {
    return story.faults().stream()
        .flatMap(
            fault ->
                switch (fault.kind()) {
                  case Faults.RESTART -> after(story, fault, fault.over(), 0);
                  case Faults.LEADER_KILLED -> after(story, fault, fault.begun(), DYING);
                  default -> Stream.of();
                })
        .toList();
  }

  /** Returns the longest recovery of this kind that no other fault held up. */
  static long longest(Story story, String kind) {
    return all(story).stream()
        .filter(one -> one.alone() && one.fault().kind().equals(kind))
        .mapToLong(Recovery::took)
        .max()
        .orElse(0);
  }

  private static Stream<Recovery> after(Story story, Injected fault, long from, long dying) {
    return story.ended().stream()
        .mapToLong(EndedJob::ended)
        .filter(at -> at > from + dying)
        .min()
        .stream()
        .mapToObj(at -> new Recovery(fault, at - from, !allHeldUp(story, fault, from, at)));
  }

  private static boolean allHeldUp(Story story, Injected fault, long from, long to) {
    List<Injected> others =
        story.faults().stream()
            .filter(other -> other.isGrave() && !other.equals(fault) && other.within(from, to))
            .toList();
    return others.stream().anyMatch(other -> other.server() == null)
        || others.stream().map(Injected::server).distinct().count() > 1;
  }
}
