package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.BulkReset;
import org.readpast.admin.JobControl;
import org.readpast.admin.Limits;

/** What operators do to jobs. */
@ApplicationScoped
@Path("jobs")
@RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JobActionsResource {
  @Inject Browser browser;
  @Inject JobControl control;
  @Inject BulkReset bulk;
  @Inject Limits limits;
  @Inject Repeatable repeatable;

  /** Cancels a job that waits (200); asks one that is in work to end (202). */
  @POST
  @Path("{id}/cancellation")
  public Response cancel(@PathParam("id") String id, @BeanParam Caller caller, InputStream body) {
    long job = Parameters.id(id);
    return repeatable.post(
        caller,
        Body.small(body),
        () -> {
          int status = control.cancel(job) ? 200 : 202;
          return Answer.of(status, browser.job(job));
        });
  }

  /** Makes an ended job AVAILABLE, with its full number of attempts. */
  @POST
  @Path("{id}/reset")
  public Response reset(
      @PathParam("id") String id,
      @QueryParam("force") @Nullable String force,
      @BeanParam Caller caller,
      InputStream body) {
    long job = Parameters.id(id);
    return repeatable.post(
        caller,
        Body.small(body),
        () -> {
          control.reset(job, Parameters.flag("force", force));
          return Answer.of(200, browser.job(job));
        });
  }

  /** The same for these, or for those that match. */
  @POST
  @Path("reset")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response resetMany(@BeanParam Caller caller, InputStream body) {
    Body read = Body.small(body);
    ResetRequest wish = ResetRequest.read(read.json(), limits.jobs());
    Set<Long> ids = wish.ids();
    return repeatable.post(
        caller,
        read,
        () -> Answer.of(200, ids == null ? bulk.reset(wish.selection()) : bulk.reset(ids)));
  }
}
