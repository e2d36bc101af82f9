package org.readpast.store;

import java.util.List;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;

/** Determines the retention of ended jobs, and is notified of their ends after the commit. */
public interface JobEndListener {
  /** Keeps all jobs, and is not notified of any end. */
  JobEndListener NONE = keeping(RetentionRules.ALL);

  /** Returns an instance that applies the given rules and is not notified of any end. */
  static JobEndListener keeping(RetentionRules rules) {
    return new JobEndListener() {
      @Override
      public RetentionRules retention() {
        return rules;
      }

      @Override
      public boolean wants(JobState state, String queue, String type) {
        return false;
      }

      @Override
      public void ended(List<JobEnd> jobs) {}
    };
  }

  /** Returns the retention rules for jobs that end on this node. */
  RetentionRules retention();

  /**
   * Returns true if this instance must be notified of the end of such a job. This method is called
   * for each end, so it must be fast.
   */
  boolean wants(JobState state, String queue, String type);

  /** Reports that jobs have ended. This method is called where no transaction can begin. */
  void ended(List<JobEnd> jobs);

  /**
   * Reports that a transaction that had ended jobs was rolled back. The jobs are available again,
   * and claims may have skipped them in the meantime. This method is called where no transaction
   * can begin.
   */
  default void restored(List<Claims.ReopenedLane> lanes) {}
}
