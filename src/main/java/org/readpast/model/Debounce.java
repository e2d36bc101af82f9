package org.readpast.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;

/**
 * Defines what an enqueue changes in a waiting job that has the same unique key.
 *
 * @param replace true if the waiting job takes over the payload and the headers of the enqueue
 * @param pause the minimum time from this enqueue until the waiting job becomes due, or null to
 *     leave its due time unchanged
 * @param latest the maximum time from the first enqueue until the waiting job becomes due; null if
 *     there is no pause
 */
public record Debounce(boolean replace, @Nullable Duration pause, @Nullable Duration latest) {
  public Debounce {
    if ((pause == null) != (latest == null)) {
      throw new JobRejectedException(
          "postpone is "
              + pause
              + " and latestStart is "
              + latest
              + "; specify both or neither, because without a latest start a job could be"
              + " postponed forever");
    }
    NewJob.span("postpone", pause);
    NewJob.span("latestStart", latest);
    NewJob.rule(
        pause == null || latest == null || pause.compareTo(latest) <= 0,
        "latestStart",
        latest,
        "specify at least the value of postpone, which is " + pause);
  }

  /** Creates an instance, or returns null if neither a replacement nor a pause is requested. */
  public static @Nullable Debounce of(
      boolean replace, @Nullable Duration pause, @Nullable Duration latest) {
    return replace || pause != null || latest != null ? new Debounce(replace, pause, latest) : null;
  }
}
