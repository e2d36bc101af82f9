package org.readpast.rest.access;

import jakarta.annotation.Priority;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Inject;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import org.readpast.model.Role;

/**
 * Enforces {@code @RolesAllowed} or {@link AnyQueue} on every resource method. A method that has
 * neither is closed to all callers, unless its class has {@code @PermitAll}. Jakarta REST leaves
 * this check to the server, but Payara 6.2025.10 was observed to make it for one WAR and not for
 * another.
 */
@Provider
public class RoleFeature implements DynamicFeature {
  @Inject CallerAccess access;

  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    if (resource.getResourceClass().isAnnotationPresent(PermitAll.class)) {
      return;
    }
    Method method = resource.getResourceMethod();
    context.register(
        method.isAnnotationPresent(AnyQueue.class) || method.isAnnotationPresent(RolesAllowed.class)
            ? filter(method)
            : filter(resource.getResourceClass()));
  }

  private ContainerRequestFilter filter(AnnotatedElement element) {
    AnyQueue anyQueue = element.getAnnotation(AnyQueue.class);
    if (anyQueue != null) {
      return new QueueFilter(access, anyQueue.value());
    }
    RolesAllowed roles = element.getAnnotation(RolesAllowed.class);
    return new RoleFilter(roles == null ? List.of() : List.of(roles.value()));
  }

  /** Admits callers that have the role in at least one queue. */
  @Priority(Priorities.AUTHORIZATION)
  static final class QueueFilter implements ContainerRequestFilter {
    private final CallerAccess access;
    private final Role least;

    QueueFilter(CallerAccess access, Role least) {
      this.access = access;
      this.least = least;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      if (access.get().scope(least).isEmpty()) {
        throw new ForbiddenException();
      }
    }
  }

  /** Admits callers that have one of the roles. */
  @Priority(Priorities.AUTHORIZATION)
  static final class RoleFilter implements ContainerRequestFilter {
    private final List<String> roles;

    RoleFilter(List<String> roles) {
      this.roles = roles;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      if (roles.stream().noneMatch(request.getSecurityContext()::isUserInRole)) {
        throw new ForbiddenException();
      }
    }
  }
}
