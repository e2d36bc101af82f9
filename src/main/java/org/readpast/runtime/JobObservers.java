package org.readpast.runtime;

import java.util.List;
import org.readpast.api.JobEvent;

/** Delivers events to an application's observers of jobs that have ended. */
public interface JobObservers {
  /** Returns the events that the observers receive; called once, when the engine is created. */
  List<EventFilter> filters();

  /** Calls the observers that receive this event. */
  void deliver(JobEvent job);
}
