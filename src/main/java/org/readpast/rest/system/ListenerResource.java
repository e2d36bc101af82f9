package org.readpast.rest.system;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.readpast.admin.Browser;
import org.readpast.admin.Scoped;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Problem;

/** Shows the activity of the listeners of all nodes. */
@ApplicationScoped
@Path("listener")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class ListenerResource {
  @Inject Scoped<Browser> browser;
  @Inject CallerAccess access;

  /** Returns the counters of each node and queue as of the last heartbeats. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list() {
    return Answer.of(200, access.to(browser).listening()).response();
  }
}
