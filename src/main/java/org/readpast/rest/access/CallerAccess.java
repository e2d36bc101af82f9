package org.readpast.rest.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import org.readpast.admin.Scoped;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueRoles;

/** Provides the caller's role in each queue for the current request. */
@ApplicationScoped
public class CallerAccess {
  private static final String ROLES = "readpast.roles";

  @Inject QueueRoles roles;
  @Inject HttpServletRequest request;

  /** Stores the roles of a caller that {@link Authentication} has admitted. */
  static void keep(HttpServletRequest request, Set<String> roles) {
    // The roles are stored, because the container knows only roles that the application declares.
    request.setAttribute(ROLES, Set.copyOf(roles));
  }

  /** Limits a service to what the caller may see and do. */
  public <T> T to(Scoped<T> any) {
    return any.within(get());
  }

  public QueueAccess get() {
    return of(request);
  }

  public QueueAccess of(HttpServletRequest of) {
    return of.getAttribute(ROLES) instanceof Set<?> names ? of(names) : of(Set.of());
  }

  QueueAccess of(Set<?> names) {
    return roles.access(names.stream().map(String::valueOf).toList());
  }
}
