package org.readpast.store;

import java.util.List;
import org.readpast.api.JobState;
import org.readpast.model.RetentionRules;

/** Says how long ended jobs are kept, and is notified of ends once they are committed. */
public interface EndWatch {
  /** Is notified of none, and keeps all. */
  EndWatch NONE = keeping(RetentionRules.ALL);

  /** One that is notified of none. */
  static EndWatch keeping(RetentionRules rules) {
    return new EndWatch() {
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

  /** How long jobs are kept that end here. */
  RetentionRules retention();

  /**
   * Returns true if it is to be notified of such an end; asked at each end, so it must be quick.
   */
  boolean wants(JobState state, String queue, String type);

  /** Jobs have ended; called where no transaction can begin. */
  void ended(List<JobEnd> jobs);

  /**
   * A transaction that had ended jobs was rolled back: they are available again, and claims may
   * have skipped them meanwhile. Called where no transaction can begin.
   */
  default void restored(List<Claims.Released> lanes) {}
}
