package org.readpast.store;

import java.util.List;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;

/** Hears of the ends of jobs, once they are committed. */
public interface EndWatch {
  /** Hears of none. */
  EndWatch NONE =
      new EndWatch() {
        @Override
        public boolean wants(JobState state) {
          return false;
        }

        @Override
        public void ended(List<JobEvent> jobs) {}
      };

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
