package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import org.readpast.admin.Browser;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.Overview;
import org.readpast.admin.Purge;
import org.readpast.admin.QueueControl;
import org.readpast.api.Enqueued;
import org.readpast.engine.EngineStatus;
import org.readpast.model.Names;
import org.readpast.model.NewJob;

/** Queues, and the way into them. */
@ApplicationScoped
@Path("queues")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class QueuesResource {
  @Inject Browser browser;
  @Inject Overview overview;
  @Inject EngineStatus engine;
  @Inject QueueControl control;
  @Inject JobIntake intake;
  @Inject Purge purge;
  @Inject Limits limits;
  @Inject Repeatable repeatable;

  /** The ids of jobs that were enqueued, in the order given. */
  public record Ids(List<Long> ids) {}

  /** How many jobs were ended. */
  public record Purged(int cancelled) {}

  /** Each with how many jobs it holds in each state. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list() {
    return Answer.of(
            200,
            overview.queues().stream()
                .map(queue -> QueueAnswer.of(queue, engine.settings()))
                .toList())
        .response();
  }

  /** Pauses or resumes a queue, or sets how many of its jobs run at once. */
  @PATCH
  @Path("{queue}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  public Response change(@PathParam("queue") String queue, InputStream body) {
    Names.checkQueue(queue);
    var change = QueueChanges.read(Body.small(body).json());
    return Answer.of(200, QueueAnswer.of(control.change(queue, change))).response();
  }

  /** Enqueues a job, or an array of jobs in one transaction. */
  @POST
  @Path("{queue}/jobs")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  public Response enqueue(
      @PathParam("queue") String queue, @BeanParam Caller caller, InputStream body) {
    Names.checkQueue(queue);
    Body read = Body.objects(body, limits);
    JsonText json = read.json();
    JobRequests jobs = new JobRequests(queue, limits);
    if (json.isArray()) {
      List<NewJob> all = jobs.all(json);
      return repeatable.post(caller, read, () -> enqueueAll(all));
    }
    NewJob one = jobs.one(json);
    return repeatable.post(caller, read, () -> enqueueOne(one, caller));
  }

  /** Ends all jobs that wait in a queue as CANCELLED. */
  @POST
  @Path("{queue}/purge")
  @RolesAllowed(Roles.ADMIN)
  public Response purge(@PathParam("queue") String queue, InputStream body) {
    Body.none(body);
    Names.checkQueue(queue);
    browser.requireQueue(queue);
    return Answer.of(200, new Purged(purge.purge(queue))).response();
  }

  private Answer enqueueOne(NewJob job, Caller caller) {
    JobIntake.Taken taken = intake.enqueue(job);
    return Answer.of(taken.isNew() ? 201 : 200, taken.job())
        .at(caller.locationOf(taken.job().job().id()));
  }

  private Answer enqueueAll(List<NewJob> jobs) {
    return Answer.of(201, new Ids(intake.enqueue(jobs).stream().map(Enqueued::id).toList()));
  }
}
