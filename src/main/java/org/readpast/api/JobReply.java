package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** Represents the result of waiting for a job. */
public interface JobReply {
  /** Returns the final state of the job, or its current state if the timeout expired. */
  JobState state();

  /** Returns true if the job ended before the timeout expired. */
  default boolean ended() {
    return state().ended();
  }

  /** Returns the handler's result as JSON, or null if there is none or the job has not ended. */
  @Nullable String json();

  /**
   * Returns the handler's result.
   *
   * @return the result, or null if there is none or the job has not ended
   * @throws ReadpastException if the result cannot be converted to this class
   */
  <T> @Nullable T result(Class<T> as);
}
