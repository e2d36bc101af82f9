package org.readpast.runtime;

import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the roles of which a caller must have at least one to enqueue a job. The roles are declared
 * by {@link RolesAllowed} on the handler's method; if it is missing there, on the handler's class,
 * and otherwise on the payload's class.
 */
final class DemandedRoles {
  private DemandedRoles() {}

  /** Returns the roles that a payload's class requires; empty if it requires none. */
  static Set<String> ofPayload(@Nullable Class<?> payload) {
    for (Class<?> c = payload; c != null; c = c.getSuperclass()) {
      RolesAllowed allowed = c.getAnnotation(RolesAllowed.class);
      if (allowed != null) {
        return Set.of(allowed.value());
      }
    }
    return Set.of();
  }

  static Set<String> of(
      ProcessManagedBean<?> event,
      Annotated handler,
      @Nullable Class<?> payload,
      String place,
      List<String> errors) {
    Annotated saying = places(handler).filter(DemandedRoles::says).findFirst().orElse(null);
    if (saying == null) {
      return ofPayload(payload);
    }
    RolesAllowed allowed = saying.getAnnotation(RolesAllowed.class);
    if (allowed == null && saying.isAnnotationPresent(PermitAll.class)) {
      return Set.of();
    }
    if (allowed == null || allowed.value().length == 0) {
      errors.add(
          "handler "
              + place
              + " allows no role; name roles in @RolesAllowed, or remove the annotation");
      return Set.of();
    }
    if (event instanceof ProcessSessionBean) {
      errors.add(
          "handler "
              + place
              + " is an EJB, whose container would check the roles of the worker, which"
              + " has no user; put @RolesAllowed on the payload's class instead, so"
              + " that the roles of the enqueuing caller are checked");
    }
    if (!FoundSchedule.annotations(handler).isEmpty()) {
      errors.add(
          "handler "
              + place
              + " is @Scheduled and requires roles, but a schedule has no roles; remove"
              + " one of the two annotations");
    }
    return Set.of(allowed.value());
  }

  private static Stream<Annotated> places(Annotated handler) {
    if (handler instanceof AnnotatedMethod<?> method) {
      return Stream.of(method, method.getDeclaringType());
    }
    Stream<Annotated> handles =
        handler instanceof AnnotatedType<?> type
            ? type.getMethods().stream()
                .filter(
                    m ->
                        m.getJavaMember().getName().equals("handle")
                            && m.getParameters().size() == 2)
                .map(Annotated.class::cast)
            : Stream.empty();
    return Stream.concat(handles, Stream.of(handler));
  }

  private static boolean says(Annotated place) {
    return place.isAnnotationPresent(RolesAllowed.class)
        || place.isAnnotationPresent(DenyAll.class)
        || place.isAnnotationPresent(PermitAll.class);
  }
}
