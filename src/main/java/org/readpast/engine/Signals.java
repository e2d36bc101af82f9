package org.readpast.engine;

import java.util.Collection;

/** Lets every node know, this one at once, of what has been committed. */
public interface Signals {
  /** A queue's settings have changed. */
  void queueChanged(String queue);

  /** Jobs that wait for others may go on. */
  void orderChanged();

  /** Schedules have come or changed. */
  void schedulesChanged();

  /** Jobs have become AVAILABLE in these queues. */
  void jobsAvailable(Collection<String> queues);
}
