package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.readpast.engine.EngineStatus;

/** Shows the job types that have limits. */
@ApplicationScoped
@Path("types")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class TypesResource {
  @Inject EngineStatus engine;

  /**
   * Returns how many jobs of each type may run concurrently, on this node and over all nodes;
   * ordered by name.
   */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list() {
    return Answer.of(
            200,
            engine.typeLimits().entrySet().stream()
                .map(type -> TypeAnswer.of(type.getKey(), type.getValue()))
                .toList())
        .response();
  }
}
