package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.model.Names;
import org.readpast.store.JobFilter;
import org.readpast.store.JobView;

/** Jobs, live and ended. */
@ApplicationScoped
@Path("jobs")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JobsResource {
  @Inject Browser browser;

  /** Those that match, newest first, without payloads. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list(
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("state") @Nullable String state,
      @QueryParam("type") @Nullable String type,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    if (queue != null) {
      Names.checkQueue(queue);
    }
    if (type != null) {
      Names.checkType(type);
    }
    int most = Parameters.limit(limit);
    List<JobView> found =
        browser.jobs(
            new JobFilter(
                queue,
                type,
                Parameters.state(state, Parameters.allStates()),
                Cursor.read(cursor),
                most + 1));
    return Answer.of(200, JobPage.of(found, most)).response();
  }

  /** One, with its attempts and its payload. */
  @GET
  @Path("{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response get(@PathParam("id") String id) {
    return Answer.of(200, browser.job(Parameters.id(id))).response();
  }
}
