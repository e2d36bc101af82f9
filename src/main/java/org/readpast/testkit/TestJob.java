package org.readpast.testkit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Job;
import org.readpast.api.ReadpastException;

/**
 * A job as it stood when the test asked for it. {@link #enqueuedBy} is null, as no caller of a unit
 * test is signed in; its text is short, for messages.
 */
public sealed interface TestJob extends Job permits TestJobView {
  /** The moment at which it could first be worked, or can. */
  Instant availableAt();

  /** The failure of its last failed attempt, {@code class: message}; null: none has failed. */
  @Nullable String lastFailure();

  /** The lines that its handler has logged. */
  List<String> log();

  /** The progress that its handler has reported. */
  long done();

  /** The total of that progress. */
  long total();

  /**
   * The result that its handler has returned; null: none.
   *
   * @throws ReadpastException if it cannot be read as this class
   */
  <T> @Nullable T result(Class<T> as);
}
