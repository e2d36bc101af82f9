package org.readpast.runtime;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessObserverMethod;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.enterprise.util.Nonbinding;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.InState;
import org.readpast.api.JobContext;
import org.readpast.api.JobEvent;
import org.readpast.api.JobHandler;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobType;
import org.readpast.api.ReadpastException;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;
import org.readpast.api.Upcasts;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.model.StoredType;

/**
 * Finds the handlers among the beans of an application. A handler that breaks a rule stops the
 * deployment.
 */
public class HandlerExtension implements Extension {
  private final Map<String, FoundHandler> byType = new TreeMap<>();
  private final Map<String, FoundSchedule> schedules = new TreeMap<>();
  private final List<String> errors = new ArrayList<>();
  private final Set<Class<?>> beanClasses = new HashSet<>();
  private volatile @Nullable String refusal;
  private volatile @Nullable Owner owner;

  /**
   * Adds the owner to default names. No server passes the name of its module to an extension, and
   * in an EAR the extension of each module sees the beans of all modules.
   */
  public void ownedBy(Owner application) {
    owner = application;
  }

  /**
   * Returns the handlers with complete names.
   *
   * @throws ReadpastException if {@link #ownedBy} has not been called
   */
  public List<FoundHandler> handlers() {
    Owner whose = known();
    return byType.values().stream().distinct().map(found -> found.ownedBy(whose)).toList();
  }

  /**
   * Returns the schedules that methods declare, with complete names.
   *
   * @throws ReadpastException if {@link #ownedBy} has not been called
   */
  public List<FoundSchedule> schedules() {
    Owner whose = known();
    return schedules.values().stream().map(found -> found.ownedBy(whose)).toList();
  }

  /** Returns true if a job type or a schedule has a default name. */
  boolean namesByDefault() {
    return Stream.concat(byType.keySet().stream(), schedules.keySet().stream())
        .anyMatch(Names::isOfMethod);
  }

  private Owner known() {
    Owner whose = owner;
    if (whose == null) {
      throw RunningEngine.notStarted();
    }
    return whose;
  }

  /**
   * Prevents the engine from starting on a server that starts an application although its
   * deployment was refused.
   */
  void refuse(String why) {
    refusal = why;
  }

  /** Returns the reason why the engine must not start, or null if it may start. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Returns true if a bean has the given class or a class derived from it. */
  boolean discovered(Class<?> type) {
    return beanClasses.stream().anyMatch(type::isAssignableFrom);
  }

  /**
   * Refuses servers that Readpast does not support, and registers a qualifier whose annotation
   * depends on the JDK only. The members of the qualifier are not part of its binding: {@link
   * EventFilter} compares them, because each member may have several values.
   */
  void begin(@Observes BeforeBeanDiscovery event) {
    String refusal = ServerSupport.refusal(System.getProperties(), ServerSupport::exists);
    if (refusal != null) {
      throw new DeploymentException(refusal);
    }
    event
        .configureQualifier(InState.class)
        .methods()
        .forEach(member -> member.add(Nonbinding.Literal.INSTANCE));
  }

  /**
   * Refuses observers that would never be called, and those that observe a state in which a job has
   * not ended; other observers are called only for the events that they select.
   */
  <T> void observer(@Observes ProcessObserverMethod<T, ?> event) {
    ObserverMethod<T> observer = event.getObserverMethod();
    InState chosen = EventFilter.annotation(observer);
    if (observer.getObservedType() != JobEvent.class && chosen == null) {
      return;
    }
    String place = "observer " + event.getAnnotatedMethod().getJavaMember();
    if (chosen != null) {
      EventFilter.errors(chosen).forEach(error -> errors.add(place + " " + error));
      EventFilter filter = EventFilter.of(chosen);
      event
          .configureObserverMethod()
          .notifyWith(
              context -> {
                if (!(context.getEvent() instanceof JobEvent job) || filter.includes(job)) {
                  observer.notify(context);
                }
              });
    }
    TransactionPhase phase = observer.getTransactionPhase();
    if (phase == TransactionPhase.BEFORE_COMPLETION || phase == TransactionPhase.AFTER_FAILURE) {
      errors.add(
          place
              + " is declared with during = "
              + phase
              + ", but events are fired after the end of a job was committed; remove"
              + " during, or set it to AFTER_SUCCESS");
    }
  }

  /** Binds the interceptor to {@link Background} methods. */
  <T> void bind(@Observes @WithAnnotations(Background.class) ProcessAnnotatedType<T> event) {
    event
        .configureAnnotatedType()
        .filterMethods(BackgroundMethods::canBeBound)
        .forEach(method -> method.add(Backgrounded.Literal.INSTANCE));
  }

  void bean(@Observes ProcessManagedBean<?> event) {
    Class<?> type = event.getAnnotatedBeanClass().getJavaClass();
    beanClasses.add(type);
    if (JobHandler.class.isAssignableFrom(type)) {
      String place = type.getName();
      Class<?> payload = HandlerBean.payload(event.getAnnotatedBeanClass().getTypeClosure());
      if (payload == null) {
        errors.add(
            "handler "
                + place
                + " does not declare its payload class; implement JobHandler<YourPayload>");
      } else {
        add(event, payload, null, event.getAnnotatedBeanClass(), place);
      }
    }
    for (AnnotatedMethod<?> method : event.getAnnotatedBeanClass().getMethods()) {
      if (method.isAnnotationPresent(Background.class) && !method.getJavaMember().isBridge()) {
        FoundHandler found = BackgroundMethods.of(event, method, errors);
        if (found != null) {
          add(found);
        }
      } else if (method.isAnnotationPresent(Handles.class)) {
        method(event, type, method);
      } else if (!FoundSchedule.annotations(method).isEmpty()
          && !method.getJavaMember().isBridge()) {
        if (isHandle(type, method.getJavaMember())) {
          schedule(method, type, method.getJavaMember().getParameterTypes()[0]);
        } else {
          withoutPayload(event, type, method);
        }
      }
    }
  }

  private void method(ProcessManagedBean<?> event, Class<?> type, AnnotatedMethod<?> annotated) {
    Method method = annotated.getJavaMember();
    String place = type.getName() + "." + method.getName();
    Class<?>[] parameters = method.getParameterTypes();
    boolean shape =
        callable(method)
            && (parameters.length == 1
                || (parameters.length == 2 && parameters[1] == JobContext.class));
    if (!shape) {
      errors.add(
          "@Handles method "
              + place
              + " does not have the signature of a handler; declare it as method(Payload)"
              + " or method(Payload, JobContext), neither static nor private");
      return;
    }
    method.setAccessible(true);
    schedule(annotated, type, parameters[0]);
    add(event, parameters[0], method, annotated, place);
  }

  private void add(
      ProcessManagedBean<?> event,
      Class<?> payload,
      @Nullable Method method,
      Annotated handler,
      String place) {
    JobType type = typeOf(payload, handler);
    if (type == null) {
      errors.add(
          "handler "
              + place
              + " takes "
              + payload.getTypeName()
              + ", which has no job type; put @JobType(\"…\") on "
              + (takenAsItIs(payload) ? "the handler" : "it"));
      return;
    }
    String holder = "payload " + payload.getName() + " of handler " + place;
    try {
      Names.checkQueue(type.queue());
    } catch (JobRejectedException e) {
      errors.add(holder + ": " + e.getMessage());
    }
    int before = errors.size();
    TypeVersions versions = TypeVersions.of(type, holder(payload, handler), holder, errors);
    if (errors.size() > before) {
      return;
    }
    add(
        new FoundHandler(
            event.getBean(),
            payload,
            versions,
            method,
            handler.getAnnotation(Receive.class),
            handler.getAnnotation(Retries.class),
            null,
            DemandedRoles.of(event, handler, payload, place, errors),
            place));
  }

  private void add(FoundHandler found) {
    for (StoredType type : found.versions().readable()) {
      FoundHandler other = byType.putIfAbsent(type.stored(), found);
      if (other != null && !other.place().equals(found.place())) {
        errors.add(
            "job type "
                + type
                + " has two handlers, "
                + other.place()
                + " and "
                + found.place()
                + "; keep one of them");
        return;
      }
    }
  }

  /**
   * Returns the class that may have {@link Upcasts} methods, which is the class that is annotated
   * with the job type.
   */
  private static @Nullable Class<?> holder(Class<?> payload, Annotated handler) {
    if (takenAsItIs(payload)) {
      return handler instanceof AnnotatedType<?> type ? type.getJavaClass() : null;
    }
    Class<?> holder = payload;
    while (!holder.isAnnotationPresent(JobType.class)) {
      holder = holder.getSuperclass();
    }
    return holder;
  }

  private static boolean takenAsItIs(Class<?> payload) {
    return payload == byte[].class || payload == String.class;
  }

  private static @Nullable JobType typeOf(Class<?> payload, Annotated handler) {
    return takenAsItIs(payload) ? handler.getAnnotation(JobType.class) : JobPreparer.type(payload);
  }

  private static boolean isHandle(Class<?> type, Method method) {
    return JobHandler.class.isAssignableFrom(type)
        && method.getName().equals("handle")
        && method.getParameterCount() == 2;
  }

  /**
   * Adds the schedules of a method that takes a payload; a payload class without a job type is
   * reported as a separate error.
   */
  private void schedule(AnnotatedMethod<?> annotated, Class<?> type, Class<?> payload) {
    Method method = annotated.getJavaMember();
    String place = type.getName() + "." + method.getName();
    JobType job =
        typeOf(payload, isHandle(type, method) ? annotated.getDeclaringType() : annotated);
    if (job == null) {
      return;
    }
    for (Scheduled scheduled : FoundSchedule.annotations(annotated, place, errors)) {
      if (!scheduled.type().isEmpty()) {
        errors.add(
            "@Scheduled method "
                + place
                + " names a job type, but its payload class already has one; remove type");
      }
      schedule(scheduled, type, method, job.value(), job.queue(), place);
    }
  }

  private static boolean callable(Method method) {
    return !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
  }

  private void withoutPayload(
      ProcessManagedBean<?> event, Class<?> type, AnnotatedMethod<?> annotated) {
    Method method = annotated.getJavaMember();
    String place = type.getName() + "." + method.getName();
    Class<?>[] parameters = method.getParameterTypes();
    boolean shape =
        callable(method)
            && (parameters.length == 0
                || (parameters.length == 1 && parameters[0] == JobContext.class));
    if (!shape) {
      errors.add(
          "@Scheduled method "
              + place
              + " cannot be called without a payload; declare it as method() or"
              + " method(JobContext), neither static nor private, or add @Handles");
      return;
    }
    method.setAccessible(true);
    Set<String> roles = DemandedRoles.of(event, annotated, null, place, errors);
    for (Scheduled scheduled : FoundSchedule.annotations(annotated, place, errors)) {
      String jobType;
      try {
        jobType = Names.typeOf(scheduled.type(), type, method);
      } catch (JobRejectedException e) {
        errors.add("@Scheduled method " + place + ": " + e.getMessage());
        return;
      }
      schedule(scheduled, type, method, jobType, "default", place);
      add(
          new FoundHandler(
              event.getBean(),
              null,
              TypeVersions.only(jobType),
              method,
              annotated.getAnnotation(Receive.class),
              annotated.getAnnotation(Retries.class),
              null,
              roles,
              place));
    }
  }

  private void schedule(
      Scheduled scheduled,
      Class<?> type,
      Method method,
      String jobType,
      String queue,
      String place) {
    String name;
    try {
      name = Names.scheduleOf(scheduled.name(), type, method);
    } catch (JobRejectedException e) {
      errors.add("@Scheduled method " + place + ": " + e.getMessage());
      return;
    }
    FoundSchedule found = FoundSchedule.of(scheduled, name, jobType, queue, place);
    FoundSchedule other = schedules.putIfAbsent(name, found);
    if (other != null && !other.place().equals(place)) {
      errors.add(
          "schedule '"
              + name
              + "' is declared twice, by "
              + other.place()
              + " and "
              + place
              + "; give one of them another name");
    }
  }

  void validate(@Observes AfterDeploymentValidation event) {
    if (!errors.isEmpty()) {
      event.addDeploymentProblem(
          new ReadpastException("READPAST-0006 " + String.join("; ", new TreeSet<>(errors))));
    }
  }
}
