package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.readpast.admin.Browser;

/** The engines that run or ran. */
@ApplicationScoped
@Path("nodes")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class NodesResource {
  @Inject Browser browser;

  /** The newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list() {
    return Answer.of(200, browser.nodes()).response();
  }
}
