package org.readpast.rest;

import jakarta.annotation.Priority;
import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.ext.Provider;
import java.util.List;

/**
 * Holds every resource method to its {@code @RolesAllowed}; one without is for nobody, unless its
 * class is {@code @PermitAll}. Jakarta REST leaves this to the server, and Payara 6.2025.10 was
 * seen to do it for one WAR and not for another.
 */
@Provider
public class RoleFeature implements DynamicFeature {
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    if (resource.getResourceClass().isAnnotationPresent(PermitAll.class)) {
      return;
    }
    RolesAllowed roles = resource.getResourceMethod().getAnnotation(RolesAllowed.class);
    if (roles == null) {
      roles = resource.getResourceClass().getAnnotation(RolesAllowed.class);
    }
    context.register(new RoleFilter(roles == null ? List.of() : List.of(roles.value())));
  }

  /** Lets those pass who have one of the roles. */
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
