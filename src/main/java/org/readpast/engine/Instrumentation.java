package org.readpast.engine;

import java.util.List;
import java.util.Map;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;

/**
 * Observes jobs as they are enqueued, start and end, on the threads that do the work.
 * Implementations must be fast and must not throw exceptions.
 */
public interface Instrumentation {
  /** Observes nothing. */
  Instrumentation NONE = (job, properties) -> outcome -> {};

  /**
   * Enqueues jobs.
   *
   * @param store stores the jobs, to which properties may have been added
   */
  default List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store) {
    return store.enqueue(jobs);
  }

  /** Begins to observe a handler that is about to run on this thread. */
  Observation begin(ClaimedJob job, Map<String, String> properties);

  /** Observes a running handler. */
  interface Observation {
    /** Ends the observation, on the same thread, after the handler has finished. */
    void end(Outcome outcome);
  }
}
