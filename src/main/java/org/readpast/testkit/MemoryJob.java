package org.readpast.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.GroupFailure;
import org.readpast.api.JobState;
import org.readpast.model.Failure;
import org.readpast.model.NewJob;

/** Holds the current state of one job; only instances from {@link Memory#edit} may be changed. */
final class MemoryJob {
  final long id;
  NewJob asked;
  final List<Long> predecessors;
  final Instant enqueuedAt;
  Instant availableAt;
  @Nullable Instant startedAt;
  @Nullable Instant endedAt;
  @Nullable Instant expiresAt;
  JobState state = JobState.BLOCKED;
  long position;
  @Nullable String waitsFor;
  int attempt;
  int uncounted;

  /**
   * Is true if the job is to hold its group, from the time when it is discarded until it ends in
   * another way.
   */
  boolean holdsGroup;

  boolean cancellationRequested;
  @Nullable String result;
  List<Failure> failures = new ArrayList<>();
  List<String> log = new ArrayList<>();
  long done;
  long total;

  MemoryJob(
      long id,
      NewJob asked,
      List<Long> predecessors,
      Instant enqueuedAt,
      Instant availableAt,
      @Nullable Instant expiresAt) {
    this.id = id;
    this.asked = asked;
    this.predecessors = predecessors;
    this.enqueuedAt = enqueuedAt;
    this.availableAt = availableAt;
    this.expiresAt = expiresAt;
  }

  MemoryJob copy() {
    MemoryJob copy = new MemoryJob(id, asked, predecessors, enqueuedAt, availableAt, expiresAt);
    copy.state = state;
    copy.startedAt = startedAt;
    copy.endedAt = endedAt;
    copy.position = position;
    copy.waitsFor = waitsFor;
    copy.attempt = attempt;
    copy.uncounted = uncounted;
    copy.holdsGroup = holdsGroup;
    copy.cancellationRequested = cancellationRequested;
    copy.result = result;
    copy.failures = new ArrayList<>(failures);
    copy.log = new ArrayList<>(log);
    copy.done = done;
    copy.total = total;
    return copy;
  }

  boolean live() {
    return !state.ended();
  }

  int counted() {
    return attempt - uncounted;
  }

  void end(JobState ended, Instant now) {
    state = ended;
    endedAt = now;
    waitsFor = null;
    holdsGroup =
        ended == JobState.DISCARDED
            && asked.dependencies().groupFailure() == GroupFailure.HOLD
            && asked.dependencies().group() != null;
  }
}
