package org.readpast.server.faulty;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import org.readpast.api.InState;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;

/** Contains observers that would never be called, or would observe events that do not exist. */
@ApplicationScoped
public class FaultyObservers {
  void running(@Observes @InState(JobState.RUNNING) JobEvent job) {}

  void partly(@Observes @InState({JobState.COMPLETED, JobState.SCHEDULED}) JobEvent job) {}

  void misnamed(@Observes @InState(type = "no type") JobEvent job) {}

  void undone(@Observes(during = TransactionPhase.AFTER_FAILURE) JobEvent job) {}

  void soon(@Observes(during = TransactionPhase.BEFORE_COMPLETION) JobEvent job) {}
}
