package org.readpast.rest.system;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.NodeControl;
import org.readpast.admin.NotFound;
import org.readpast.admin.Scoped;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;

/** Shows and drains running and ended engines. */
@ApplicationScoped
@Path("nodes")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class NodesResource {
  @Inject Scoped<Browser> browser;
  @Inject CallerAccess access;
  @Inject NodeControl control;

  /** Returns running and recently ended nodes, or all recorded nodes, the newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list(@QueryParam("all") @Nullable String all) {
    return Answer.of(200, access.to(browser).nodes(Parameters.flag("all", all))).response();
  }

  /** Makes a node claim no more jobs, and stop when its running jobs have ended. */
  @POST
  @Path("{id}/drain")
  @RolesAllowed(Roles.ADMIN)
  public Response drain(@PathParam("id") String id, InputStream body) {
    Body.none(body);
    return Answer.of(202, control.drain(node(id))).response();
  }

  private static UUID node(String given) {
    try {
      return UUID.fromString(given);
    } catch (IllegalArgumentException e) {
      throw NotFound.node(given);
    }
  }
}
