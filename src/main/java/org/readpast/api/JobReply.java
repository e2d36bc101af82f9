package org.readpast.api;

import org.jspecify.annotations.Nullable;

/** What came of a job that was waited for. */
public interface JobReply {
  /** Its final state, or where it stood when the time was up. */
  JobState state();

  /** Whether it ended in time. */
  default boolean ended() {
    return state().ended();
  }

  /** What its handler gave, as JSON; null: nothing, or not yet. */
  @Nullable String json();

  /**
   * What its handler gave.
   *
   * @return null when it gave nothing, or not yet
   * @throws ReadpastException if it cannot be read as this class
   */
  <T> @Nullable T result(Class<T> as);
}
