package org.readpast.engine;

import java.util.List;
import org.readpast.api.Enqueued;
import org.readpast.model.NewJob;

/** Stores jobs in the caller's transaction and lets the workers know when it commits. */
public interface Enqueuer {
  /** One answer for each job, in order. */
  List<Enqueued> enqueue(List<NewJob> jobs);
}
