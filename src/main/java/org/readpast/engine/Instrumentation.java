package org.readpast.engine;

import java.util.List;
import java.util.Map;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;
import org.readpast.model.Outcome;
import org.readpast.store.ClaimedJob;

/** Sees jobs come and go, on the threads that do the work: it must be quick, and never throw. */
public interface Instrumentation {
  /** Sees nothing. */
  Instrumentation NONE = (job, properties) -> outcome -> {};

  /**
   * Jobs are to be enqueued.
   *
   * @param store does that; the jobs may be given further properties
   */
  default List<Enqueued> enqueue(List<NewJob> jobs, Enqueuer store) {
    return store.enqueue(jobs);
  }

  /** A handler is about to work a job on this thread. */
  Observation begin(ClaimedJob job, Map<String, String> properties);

  /** A handler at work. */
  interface Observation {
    /** It is through, on the same thread. */
    void end(Outcome outcome);
  }
}
