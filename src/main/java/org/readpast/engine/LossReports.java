package org.readpast.engine;

import java.util.List;
import org.readpast.model.Failure;
import org.readpast.store.ClaimedJob;
import org.readpast.store.MaintenanceStore.Lost;

/** Learns of jobs that were discarded, and of those that a lost owner left unfinished. */
public interface LossReports {
  /**
   * A claim whose owner was lost.
   *
   * @param over whether it has no more attempts
   */
  record TakenOver(Lost claim, Failure why, boolean over) {}

  /** Called in the transaction that discards the job. */
  void discarded(ClaimedJob job, Failure failure);

  /** Called in the transaction that releases or discards them, once their failures are recorded. */
  void takenOver(List<TakenOver> jobs);
}
