package org.readpast.runtime;

import jakarta.enterprise.context.ConversationScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Background;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobType;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.model.Names;
import org.readpast.model.NewJob;

/** Checks the rules of {@link Background} methods. */
final class BackgroundMethods {
  private static final String CHECKED = "checked";

  private BackgroundMethods() {}

  /**
   * Returns the handler for a method; if the method breaks rules, adds them to the errors and
   * returns null.
   */
  static @Nullable FoundHandler of(
      ProcessManagedBean<?> event, AnnotatedMethod<?> annotated, List<String> errors) {
    Class<?> type = event.getAnnotatedBeanClass().getJavaClass();
    Method method = annotated.getJavaMember();
    String place = type.getName() + "." + method.getName();
    List<String> broken = new ArrayList<>();
    ofBean(event, annotated, broken);
    ofShape(event, annotated, broken);
    ofArguments(method, broken);
    Background background = annotated.getAnnotation(Background.class);
    String jobType = "";
    try {
      jobType = Names.typeOf(background.type(), type, method);
      // The queue and the priority are checked in the same way as at each call.
      job(background, CHECKED, "[]");
    } catch (JobRejectedException e) {
      broken.add(String.valueOf(e.getMessage()));
    }
    broken.forEach(
        rule -> errors.add("@Background method " + signature(type, method) + ": " + rule));
    return broken.isEmpty()
        ? new FoundHandler(
            event.getBean(),
            null,
            TypeVersions.only(jobType),
            method,
            annotated.getAnnotation(Receive.class),
            annotated.getAnnotation(Retries.class),
            background,
            DemandedRoles.of(event, annotated, null, place, errors),
            place)
        : null;
  }

  /**
   * Returns true if the interceptor can be bound to the method. The interceptor is not bound to
   * methods that cannot be intercepted, because the container would report these before Readpast
   * can do so.
   */
  static boolean canBeBound(AnnotatedMethod<?> method) {
    return method.isAnnotationPresent(Background.class)
        && interceptable(method.getJavaMember().getModifiers())
        && !Modifier.isFinal(method.getDeclaringType().getJavaClass().getModifiers());
  }

  private static boolean interceptable(int modifiers) {
    return Modifier.isPublic(modifiers)
        && !Modifier.isStatic(modifiers)
        && !Modifier.isFinal(modifiers);
  }

  private static String signature(Class<?> type, Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", type.getName() + "." + method.getName() + "(", ")"));
  }

  private static void ofBean(
      ProcessManagedBean<?> event, AnnotatedMethod<?> annotated, List<String> broken) {
    if (event instanceof ProcessSessionBean) {
      broken.add(
          "its bean is an EJB, whose container begins a transaction for the method before the"
              + " call can be enqueued in the caller's; move the method to a CDI bean, which"
              + " may call the EJB");
      return;
    }
    Class<?> scope = event.getBean().getScope();
    if (scope == SessionScoped.class || scope == ConversationScoped.class) {
      broken.add(
          "its bean is @"
              + scope.getSimpleName()
              + ", but a worker has no session; use another scope");
    }
    if (Modifier.isFinal(event.getAnnotatedBeanClass().getJavaClass().getModifiers())) {
      broken.add("its class is final, so its calls cannot be intercepted; remove final");
    }
    if (canBeBound(annotated) && !annotated.isAnnotationPresent(Backgrounded.class)) {
      broken.add(
          "it is inherited in a way that hides its annotation; override it, and annotate it"
              + " with @Background");
    }
  }

  private static void ofShape(
      ProcessManagedBean<?> event, AnnotatedMethod<?> annotated, List<String> broken) {
    Method method = annotated.getJavaMember();
    int modifiers = method.getModifiers();
    if (!interceptable(modifiers)) {
      broken.add(
          "it is "
              + (Modifier.toString(modifiers).isEmpty()
                  ? "package-private"
                  : "'" + Modifier.toString(modifiers) + "'")
              + ", but only calls of public methods that are neither static nor final can"
              + " be intercepted; change its modifiers");
    }
    if (method.getReturnType() != void.class) {
      broken.add(
          "it returns "
              + method.getReturnType().getSimpleName()
              + ", but when a call returns, the job has not run yet; make it void, or"
              + " enqueue a payload with JobQueue and await its result");
    }
    boolean overloaded =
        event.getAnnotatedBeanClass().getMethods().stream()
            .anyMatch(
                other ->
                    other.isAnnotationPresent(Background.class)
                        && !other.getJavaMember().isBridge()
                        && other.getJavaMember().getName().equals(method.getName())
                        && !Arrays.equals(
                            other.getJavaMember().getParameterTypes(), method.getParameterTypes()));
    if (overloaded) {
      broken.add(
          "another @Background method of the class has the same name, and jobs refer to"
              + " methods by name; rename one of them");
    }
    if (annotated.isAnnotationPresent(Handles.class)
        || !FoundSchedule.annotations(annotated).isEmpty()
        || annotated.isAnnotationPresent(JobType.class)) {
      broken.add(
          "it also has @Handles, @Scheduled or @JobType; remove that annotation, and call the"
              + " method from another one that has it");
    }
  }

  private static void ofArguments(Method method, List<String> broken) {
    for (int i = 0; i < method.getParameterCount(); i++) {
      if (method.getParameterTypes()[i] != JobContext.class) {
        String error = ArgumentTypes.error(method.getGenericParameterTypes()[i]);
        if (error != null) {
          broken.add("argument " + (i + 1) + ": " + error);
        }
      }
    }
  }

  /** Returns the job that a call is turned into. */
  static NewJob job(Background background, String type, String payload) {
    return new NewJob(
        background.queue(),
        type,
        background.priority(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        payload);
  }
}
