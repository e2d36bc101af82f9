package org.readpast.enqueue;

import java.time.Duration;
import java.util.List;
import org.readpast.store.Claims;

/** Receives notifications of waiting jobs that enqueues have changed. */
public interface WaitingChanges {
  /** Ignores all notifications. */
  WaitingChanges NONE = new WaitingChanges() {};

  /**
   * Reports AVAILABLE jobs that a transaction had locked and that have kept their positions. Claims
   * may have skipped the changed jobs. This method is called where no transaction can begin.
   */
  default void restored(List<Claims.ReopenedLane> lanes) {}

  /** Reports that a job has become AVAILABLE in a lane. */
  default void madeAvailable(String queue, String type, int priority) {}

  /** Reports that a job has become SCHEDULED, and is due after the given time. */
  default void dueIn(Duration wait) {}
}
