package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.api.InState;
import org.readpast.api.JobEvent;
import org.readpast.api.JobState;

/** Calls the application's CDI observers of jobs that have ended. */
@ApplicationScoped
public class CdiJobObservers implements JobObservers {
  private static final InState QUALIFIER = new Literal();
  private static final JobEvent ANY =
      new EndedJobEvent(
          0, "", "", JobState.COMPLETED, 0, null, null, null, null, null, null, Map.of());

  @Inject BeanManager beans;
  @Inject Instance<RequestContextController> requestScopes;

  @Override
  public List<EventFilter> filters() {
    return observersOf(ANY).stream().map(CdiJobObservers::filter).toList();
  }

  private static EventFilter filter(ObserverMethod<?> observer) {
    InState chosen = EventFilter.annotation(observer);
    return chosen == null ? EventFilter.ALL : EventFilter.of(chosen);
  }

  private Set<ObserverMethod<? super JobEvent>> observersOf(JobEvent job) {
    return beans.resolveObserverMethods(job, QUALIFIER);
  }

  @Override
  public void deliver(JobEvent job) {
    var event = beans.getEvent().select(JobEvent.class, QUALIFIER);
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

  /** Implements the qualifier; its members are not part of the binding. */
  private static final class Literal extends AnnotationLiteral<InState> implements InState {
    private static final long serialVersionUID = 1;

    @Override
    public JobState[] value() {
      return new JobState[0];
    }

    @Override
    public String[] type() {
      return new String[0];
    }

    @Override
    public String[] queue() {
      return new String[0];
    }
  }
}
