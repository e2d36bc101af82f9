package org.readpast.runtime;

import java.util.List;
import org.readpast.api.JobEvent;

/** The observers of an application for jobs that have ended. */
public interface JobObservers {
  /** The events that the observers receive; asked once, when the engine is made. */
  List<Interest> interests();

  /** Calls the observers that receive this one. */
  void tell(JobEvent job);
}
