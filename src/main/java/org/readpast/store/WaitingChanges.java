package org.readpast.store;

import java.time.Duration;
import java.util.List;

/** Notified of what committed enqueues have done to jobs that were waiting. */
public interface WaitingChanges {
  /** Of nothing. */
  WaitingChanges NONE = new WaitingChanges() {};

  /**
   * Jobs that a transaction had locked are AVAILABLE where they were, and claims may have skipped
   * them; called where no transaction can begin.
   */
  default void restored(List<Claims.Released> lanes) {}

  /** A job has become AVAILABLE in a lane. */
  default void madeAvailable(String queue, String type, int priority) {}

  /** A job has become SCHEDULED, and is due after this time. */
  default void dueIn(Duration wait) {}
}
