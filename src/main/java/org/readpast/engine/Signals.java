package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;
import org.readpast.store.EndWatch;
import org.readpast.store.JobEnd;

/**
 * Lets every node know, this one at once, of what has been committed; and this application's
 * observers of what has ended.
 */
public interface Signals extends EndWatch {
  @Override
  default RetentionRules retention() {
    return RetentionRules.ALL;
  }

  @Override
  default boolean wants(JobState state, String queue, String type) {
    return false;
  }

  @Override
  default void ended(List<JobEnd> jobs) {}

  /** A job becomes due after this time. */
  default void dueIn(Duration wait) {}

  /** A queue's settings have changed. */
  void queueChanged(String queue);

  /** Jobs that wait for others may go on. */
  void orderChanged();

  /** Schedules have come or changed. */
  void schedulesChanged();

  /** Jobs have become AVAILABLE in these queues. */
  void jobsAvailable(Collection<String> queues);
}
