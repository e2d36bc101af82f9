package org.readpast.testkit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Job;
import org.readpast.api.ReadpastException;

/**
 * Represents a job at the time at which the test requested it. {@link #enqueuedBy} is null, because
 * no user is signed in during a unit test. The method {@code toString} returns a short string for
 * messages.
 */
public sealed interface TestJob extends Job permits TestJobView {
  /** Returns the earliest time at which the job can or could run. */
  Instant availableAt();

  /**
   * Returns the failure of the job's last failed attempt as {@code class: message}, or null if no
   * attempt has failed.
   */
  @Nullable String lastFailure();

  /** Returns the lines that the job's handler has logged. */
  List<String> log();

  /** Returns the progress that the job's handler has reported. */
  long done();

  /** Returns the total of the progress that the job's handler has reported. */
  long total();

  /**
   * Returns the result of the job's handler, or null if there is none.
   *
   * @throws ReadpastException if the result cannot be converted to this class
   */
  <T> @Nullable T result(Class<T> as);
}
