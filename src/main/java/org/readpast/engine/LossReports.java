package org.readpast.engine;

import java.util.List;
import org.readpast.model.Failure;
import org.readpast.store.ClaimedJob;
import org.readpast.store.MaintenanceStore.LostOrOverdueClaim;

/** Receives reports of jobs that were discarded, and of jobs that a lost owner left unfinished. */
public interface LossReports {
  /**
   * Describes a job whose owner was lost, or that was overdue.
   *
   * @param exhausted true if the job has no attempts left
   */
  record TakenOver(LostOrOverdueClaim claim, Failure why, boolean exhausted) {}

  /** Reports a job, in the transaction that discards it. */
  void discarded(ClaimedJob job, Failure failure);

  /**
   * Reports jobs, in the transaction that releases or discards them, after their failures have been
   * recorded.
   */
  void takenOver(List<TakenOver> jobs);
}
