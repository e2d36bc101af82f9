package org.readpast.runtime;

import java.util.Set;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;

/** Those in the application who want to hear of jobs that have ended. */
public interface JobObservers {
  /** The ends of which somebody wants to hear; asked once, when the engine is made. */
  Set<JobState> states();

  /** Tells of one. */
  void tell(JobEvent job);
}
