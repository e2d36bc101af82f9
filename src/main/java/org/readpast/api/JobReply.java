package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** Represents the result of waiting for a job. */
public interface JobReply {
  /** Returns the final state of the job, or its state when the timeout expired. */
  JobState state();

  /** Returns true if the job ended before the timeout expired. */
  default boolean ended() {
    return state().ended();
  }

  /** Returns the handler's result as JSON; null if there is none, or if the job has not ended. */
  @Nullable String json();

  /**
   * Returns the handler's result.
   *
   * @return null if there is none, or if the job has not ended
   * @throws ReadpastException if the result cannot be read as this class
   */
  <T> @Nullable T result(Class<T> as);
}
