package org.readpast.testkit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Job;
import org.readpast.api.ReadpastException;

/**
 * Describes a job as it was when the test requested it. {@link #enqueuedBy} is null, because no
 * caller is signed in in a unit test. The text of a job is short, for use in messages.
 */
public sealed interface TestJob extends Job permits TestJobView {
  /** Returns the earliest moment at which the job can run, or could. */
  Instant availableAt();

  /**
   * Returns the failure of its last failed attempt, {@code class: message}, or null if no attempt
   * has failed.
   */
  @Nullable String lastFailure();

  /** Returns the lines that its handler has logged. */
  List<String> log();

  /** Returns the progress that its handler has reported. */
  long done();

  /** Returns the total of that progress. */
  long total();

  /**
   * Returns the result that its handler has returned, or null if there is none.
   *
   * @throws ReadpastException if the result cannot be read as this class
   */
  <T> @Nullable T result(Class<T> as);
}
