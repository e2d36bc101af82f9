package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.readpast.api.InState;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;

/** The application's CDI observers of jobs that have ended. */
@ApplicationScoped
public class EndObservers implements JobObservers {
  @Inject BeanManager beans;
  @Inject Instance<RequestContextController> requestScopes;

  @Override
  public Set<JobState> states() {
    Set<JobState> observed = EnumSet.noneOf(JobState.class);
    Arrays.stream(JobState.values())
        .filter(state -> state.ended() && !observersOf(sample(state)).isEmpty())
        .forEach(observed::add);
    return observed;
  }

  private static JobEvent sample(JobState state) {
    return new JobEvent(0, "", "", state, 0, null, null, null, null);
  }

  private Set<ObserverMethod<? super JobEvent>> observersOf(JobEvent job) {
    return beans.resolveObserverMethods(job, new Literal(job.state()));
  }

  @Override
  public void tell(JobEvent job) {
    var event = beans.getEvent().select(JobEvent.class, new Literal(job.state()));
    if (observersOf(job).stream().anyMatch(ObserverMethod::isAsync)) {
      event.fireAsync(job);
    }
    RequestContextController requestScope = requestScopes.get();
    boolean activated = requestScope.activate();
    try {
      event.fire(job);
    } finally {
      if (activated) {
        requestScope.deactivate();
      }
      requestScopes.destroy(requestScope);
    }
  }

  /** The qualifier with its state. */
  private static final class Literal extends AnnotationLiteral<InState> implements InState {
    private static final long serialVersionUID = 1;
    private final JobState state;

    Literal(JobState state) {
      this.state = state;
    }

    @Override
    public JobState value() {
      return state;
    }
  }
}
