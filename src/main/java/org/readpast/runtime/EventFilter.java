package org.readpast.runtime;

import jakarta.enterprise.inject.spi.ObserverMethod;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.InState;
import org.readpast.api.JobEvent;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;
import org.readpast.model.Names;
import org.readpast.model.StoredType;

/**
 * Selects the events that an observer receives.
 *
 * @param states the selected final states; empty selects all
 * @param types the selected job types; empty selects all
 * @param queues the selected queues; empty selects all
 */
public record EventFilter(Set<JobState> states, Set<String> types, Set<String> queues) {
  /** Selects every event. */
  public static final EventFilter ALL = new EventFilter(Set.of(), Set.of(), Set.of());

  /** Selects the events with the given states. */
  public static EventFilter in(JobState... states) {
    return new EventFilter(Set.of(states), Set.of(), Set.of());
  }

  static EventFilter of(InState chosen) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    states.addAll(List.of(chosen.value()));
    return new EventFilter(
        states, Set.copyOf(List.of(chosen.type())), Set.copyOf(List.of(chosen.queue())));
  }

  /**
   * Returns the annotation of an observer, or null if the observer does not restrict its events.
   */
  static @Nullable InState annotation(ObserverMethod<?> observer) {
    return (InState)
        observer.getObservedQualifiers().stream()
            .filter(InState.class::isInstance)
            .findFirst()
            .orElse(null);
  }

  /** Returns the rules that an annotation breaks. */
  static List<String> errors(InState chosen) {
    List<String> errors = new ArrayList<>();
    for (JobState state : chosen.value()) {
      if (!state.ended()) {
        errors.add(
            "selects the state "
                + state
                + ", but events are fired only for jobs that have ended; name COMPLETED,"
                + " DISCARDED, CANCELLED or EXPIRED");
      }
    }
    try {
      List.of(chosen.type()).forEach(Names::checkType);
      List.of(chosen.queue()).forEach(Names::checkQueue);
    } catch (JobRejectedException e) {
      errors.add("would never be called: " + e.getMessage());
    }
    return errors;
  }

  boolean includes(JobEvent job) {
    return includes(job.state(), job.queue(), job.type());
  }

  /**
   * Returns true if the observer receives the end of a job of this type, queue and state.
   *
   * @param type the job type, with or without a version; an observer receives all versions of a
   *     type
   */
  boolean includes(JobState state, String queue, String type) {
    return (states.isEmpty() || states.contains(state))
        && (types.isEmpty() || types.contains(StoredType.nameOf(type)))
        && (queues.isEmpty() || queues.contains(queue));
  }
}
