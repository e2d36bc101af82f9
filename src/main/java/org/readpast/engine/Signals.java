package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;
import org.readpast.store.JobEnd;
import org.readpast.store.JobEndListener;

/**
 * Notifies this node immediately, and all other nodes, of committed changes. Also notifies this
 * application's observers of jobs that have ended.
 */
public interface Signals extends JobEndListener {
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

  /** Announces that a job becomes due after the given time. */
  default void dueIn(Duration wait) {}

  /** Announces that the settings of a queue have changed. */
  void queueChanged(String queue);

  /** Announces that BLOCKED jobs may be ready to run. */
  void orderChanged();

  /** Announces that schedules were added or changed. */
  void schedulesChanged();

  /** Announces that jobs have become AVAILABLE in the given queues. */
  void jobsAvailable(Collection<String> queues);
}
