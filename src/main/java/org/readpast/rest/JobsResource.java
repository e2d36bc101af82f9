package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.BulkReset;
import org.readpast.admin.JobControl;
import org.readpast.admin.Limits;
import org.readpast.model.Names;
import org.readpast.store.JobFilter;
import org.readpast.store.JobView;

/** Jobs: look at them, cancel them, bring them back. */
@ApplicationScoped
@Path("jobs")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "Jobs")
public class JobsResource {
  private static final int CONTROL_BYTES = 1 << 20;

  @Inject Browser browser;
  @Inject JobControl control;
  @Inject BulkReset bulk;
  @Inject Limits limits;
  @Inject Repeatable repeatable;

  /** Jobs, newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Lists jobs, newest first, without payloads")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = JobPage.class)))
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

  /** One job. */
  @GET
  @Path("{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Shows a job, live or ended, with its attempts and its payload")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(responseCode = "404", description = "There is no such job")
  public Response get(@PathParam("id") String id) {
    return found(Parameters.id(id), 200).response();
  }

  /** Cancels a job. */
  @POST
  @Path("{id}/cancellation")
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Cancels a job that waits; asks one that is in work to end")
  @APIResponse(
      responseCode = "200",
      description = "It has ended as CANCELLED",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(
      responseCode = "202",
      description = "It is in work and was asked to end",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(responseCode = "409", description = "It has ended already")
  public Response cancel(
      @PathParam("id") String id,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Context SecurityContext security) {
    long job = Parameters.id(id);
    return repeatable.post(
        request(body, uri, headers, security), () -> found(job, control.cancel(job) ? 200 : 202));
  }

  /** Brings a job back. */
  @POST
  @Path("{id}/reset")
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  @Operation(
      summary = "Makes a DISCARDED, CANCELLED or EXPIRED job AVAILABLE, with all its attempts")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(
      responseCode = "409",
      description = "It is live or COMPLETED, or a live job holds its unique key")
  public Response reset(
      @PathParam("id") String id,
      InputStream body,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Context SecurityContext security) {
    long job = Parameters.id(id);
    return repeatable.post(
        request(body, uri, headers, security),
        () -> {
          control.reset(job);
          return found(job, 200);
        });
  }

  /** Brings many jobs back. */
  @POST
  @Path("reset")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Resets these jobs, or those that match; up to 100,000 in one transaction")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = BulkReset.Result.class)))
  public Response resetMany(
      @RequestBody(content = @Content(schema = @Schema(implementation = ApiSchemas.Reset.class)))
          InputStream body,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Context SecurityContext security) {
    Body read = Body.read(body, CONTROL_BYTES);
    ResetRequest wish = ResetRequest.read(read.json(), limits.jobs());
    Set<Long> ids = wish.ids();
    return repeatable.post(
        new Repeatable.Request(uri, headers, security, read.bytes()),
        () -> Answer.of(200, ids == null ? bulk.reset(wish.selection()) : bulk.reset(ids)));
  }

  private Answer found(long id, int status) {
    return new Answer(status, null, JobAnswer.json(browser.job(id)));
  }

  private static Repeatable.Request request(
      InputStream body, UriInfo uri, HttpHeaders headers, SecurityContext security) {
    return new Repeatable.Request(uri, headers, security, Body.read(body, CONTROL_BYTES).bytes());
  }
}
