package org.readpast.store;

import java.util.List;
import org.readpast.api.JobEvent;
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
      public boolean wants(JobState state) {
        return false;
      }

      @Override
      public void ended(List<JobEvent> jobs) {}
    };
  }

  /** How long jobs are kept that end here. */
  RetentionRules retention();

  /** Whether it is to be told of these; asked at each end, so it must be quick. */
  boolean wants(JobState state);

  /** Jobs have ended; called where no transaction can begin. */
  void ended(List<JobEvent> jobs);

  /**
   * A transaction that had ended jobs was rolled back: they are available again, and claims may
   * have skipped them meanwhile. Called where no transaction can begin.
   */
  default void restored(List<Claims.Released> lanes) {}
}
