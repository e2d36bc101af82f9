package org.readpast.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import org.readpast.admin.Scoped;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueRoles;

/** Says in which queues the caller of the current request has which role. */
@ApplicationScoped
class CallerAccess {
  private static final String ROLES = "readpast.roles";

  @Inject QueueRoles roles;
  @Inject HttpServletRequest request;

  /** Keeps the roles of a caller that {@link Authentication} lets in. */
  static void keep(HttpServletRequest request, Set<String> roles) {
    // A container knows of an application only the roles that are declared in it.
    request.setAttribute(ROLES, Set.copyOf(roles));
  }

  /** Limits what people may do to what the caller may. */
  <T> T to(Scoped<T> any) {
    return any.within(get());
  }

  QueueAccess get() {
    return of(request);
  }

  QueueAccess of(HttpServletRequest of) {
    return of.getAttribute(ROLES) instanceof Set<?> names ? of(names) : of(Set.of());
  }

  QueueAccess of(Set<?> names) {
    return roles.access(names.stream().map(String::valueOf).toList());
  }
}
