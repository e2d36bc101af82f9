package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.readpast.admin.Browser;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.QueueControl;
import org.readpast.api.Enqueued;
import org.readpast.model.Names;
import org.readpast.model.NewJob;

/** Queues: look at them, put jobs into them, pause them. */
@ApplicationScoped
@Path("queues")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
@Tag(name = "Queues")
public class QueuesResource {
  private static final int CONTROL_BYTES = 1 << 20;

  @Inject Browser browser;
  @Inject QueueControl control;
  @Inject JobIntake intake;
  @Inject Limits limits;
  @Inject Repeatable repeatable;

  /** Every queue. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Lists the queues and how many jobs each holds in each state")
  @APIResponse(
      responseCode = "200",
      content =
          @Content(schema = @Schema(type = SchemaType.ARRAY, implementation = QueueAnswer.class)))
  public Response list() {
    return Answer.of(200, browser.queues().stream().map(QueueAnswer::of).toList()).response();
  }

  /** Changes a queue. */
  @PATCH
  @Path("{queue}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  @Operation(summary = "Pauses or resumes a queue, or sets how many of its jobs run at once")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = QueueAnswer.class)))
  @APIResponse(responseCode = "404", description = "There is no such queue")
  public Response change(
      @PathParam("queue") String queue,
      @RequestBody(content = @Content(schema = @Schema(implementation = ApiSchemas.Change.class)))
          InputStream body) {
    Names.checkQueue(queue);
    var change = QueueChanges.read(Body.read(body, CONTROL_BYTES).json());
    return Answer.of(200, QueueAnswer.of(control.change(queue, change))).response();
  }

  /** Enqueues. */
  @POST
  @Path("{queue}/jobs")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  @Operation(
      summary = "Enqueues a job, or an array of jobs in one transaction",
      description =
          "An unknown queue is created. With an Idempotency-Key a repeated request gets "
              + "the first answer, for 24 hours.")
  @Parameter(
      name = Repeatable.HEADER,
      in = ParameterIn.HEADER,
      schema = @Schema(type = SchemaType.STRING))
  @APIResponse(
      responseCode = "201",
      description = "The job; for an array the ids, in its order",
      content = @Content(schema = @Schema(oneOf = {JobAnswer.class, ApiSchemas.Ids.class})))
  @APIResponse(
      responseCode = "200",
      description = "The live job that holds the unique key",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(responseCode = "413", description = "The payload or the request is too large")
  @APIResponse(responseCode = "422", description = "No engine has ever registered the type")
  public Response enqueue(
      @PathParam("queue") String queue,
      @RequestBody(
              content =
                  @Content(
                      schema =
                          @Schema(oneOf = {ApiSchemas.NewJob.class, ApiSchemas.NewJobs.class})))
          InputStream body,
      @Context UriInfo uri,
      @Context HttpHeaders headers,
      @Context SecurityContext security) {
    Names.checkQueue(queue);
    Body read = Body.read(body, limits.requestBytes());
    JsonText json = read.json();
    JobRequests jobs = new JobRequests(queue, limits);
    var request = new Repeatable.Request(uri, headers, security, read.bytes());
    if (json.isArray()) {
      List<NewJob> all = jobs.all(json);
      return repeatable.post(request, () -> enqueueAll(all));
    }
    NewJob one = jobs.one(json);
    return repeatable.post(request, () -> enqueueOne(one, uri));
  }

  private Answer enqueueOne(NewJob job, UriInfo uri) {
    JobIntake.Taken taken = intake.enqueue(job);
    String id = Long.toString(taken.job().job().id());
    return new Answer(
        taken.isNew() ? 201 : 200,
        uri.getBaseUriBuilder().path("jobs").path(id).build().toString(),
        JobAnswer.json(taken.job()));
  }

  private Answer enqueueAll(List<NewJob> jobs) {
    List<Long> ids = intake.enqueue(jobs).stream().map(Enqueued::id).toList();
    return Answer.of(201, new ApiSchemas.Ids(ids));
  }
}
