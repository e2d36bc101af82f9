package org.readpast.rest.queues;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import org.readpast.admin.TypeControl;
import org.readpast.admin.store.TypeAdmin;
import org.readpast.engine.EngineStatus;
import org.readpast.engine.Settings.TypeConcurrency;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.RequestException;

/** Shows the limits of job types, and changes them. */
@ApplicationScoped
@Path("types")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class TypesResource {
  private static final String LIMIT = "globalConcurrency";

  @Inject EngineStatus engine;
  @Inject TypeControl control;

  /**
   * Returns how many jobs of each type may run concurrently, on this node and across all nodes,
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

  /**
   * Sets how many jobs of a type may run concurrently across all nodes and queues. Nodes apply the
   * limit within five seconds.
   */
  @PATCH
  @Path("{type}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.ADMIN)
  public Response change(@PathParam("type") String type, InputStream body) {
    Fields fields = Fields.of(Body.small(body).json(), "the body", List.of(LIMIT));
    if (!fields.has(LIMIT)) {
      throw RequestException.malformed("nothing to change; specify " + LIMIT);
    }
    TypeAdmin.Limit now = control.limit(type, QueueChanges.limit(fields, LIMIT, 10_000));
    TypeConcurrency here = engine.typeLimits().get(now.type());
    Integer onThisNode = here == null ? null : here.concurrency();
    return Answer.of(200, TypeAnswer.of(now.type(), new TypeConcurrency(onThisNode, now.most())))
        .response();
  }
}
