package org.readpast.faults;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.readpast.faults.Story.Asked;
import org.readpast.faults.Story.Begun;
import org.readpast.faults.Story.Injected;
import org.readpast.faults.Story.Over;

/** Records the reports of producers, handlers and faults, with times of a single clock. */
final class Recorder {
  final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  final Queue<Begun> begun = new ConcurrentLinkedQueue<>();
  final Queue<Over> over = new ConcurrentLinkedQueue<>();
  final Queue<Injected> faults = new ConcurrentLinkedQueue<>();

  static long now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  void injected(String kind, @Nullable String server, long begun) {
    faults.add(new Injected(kind, server, begun, now()));
  }

  /** Returns the story, including the contents of the database at the end of the run. */
  Story story(
      List<Story.EndedJob> ended,
      List<Story.Freed> freed,
      List<Story.Effect> effects,
      List<Story.Planned> planned,
      List<String> live) {
    return new Story(
        List.copyOf(asked),
        List.copyOf(begun),
        List.copyOf(over),
        ended,
        freed,
        effects,
        planned,
        List.copyOf(faults),
        live);
  }
}
