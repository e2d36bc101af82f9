package org.readpast.engine;

import java.util.List;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;

/** Stores jobs in the caller's transaction, and notifies the workers after it has committed. */
public interface Enqueuer {
  /** Enqueues jobs, and returns one result for each of them, in the same order. */
  List<Enqueued> enqueue(List<NewJob> jobs);
}
