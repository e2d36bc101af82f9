package org.readpast.rest.queues;

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
import org.readpast.admin.Scoped;
import org.readpast.api.Enqueued;
import org.readpast.engine.EngineStatus;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.Problem;
import org.readpast.rest.jobs.JobDetailsAnswer;
import org.readpast.rest.jobs.JobRequests;
import org.readpast.rest.jobs.Masking;
import org.readpast.rest.jobs.PayloadMask;

/** Shows and changes queues, and enqueues jobs. */
@ApplicationScoped
@Path("queues")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class QueuesResource {
  @Inject Scoped<Browser> browser;
  @Inject Scoped<Overview> overview;
  @Inject CallerAccess access;
  @Inject EngineStatus engine;
  @Inject Scoped<QueueControl> control;
  @Inject Scoped<JobIntake> intake;
  @Inject Scoped<Purge> purge;
  @Inject Limits limits;
  @Inject IdempotencyKeys idempotencyKeys;
  @Inject Masking masking;

  /** Holds the ids of enqueued jobs, in the given order. */
  public record Ids(List<Long> ids) {}

  /** Reports the number of cancelled jobs. */
  public record Purged(int cancelled) {}

  /** Returns every queue with its number of jobs in each state. */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response list() {
    return Answer.of(
            200,
            access.to(overview).queues().stream()
                .map(queue -> QueueAnswer.of(queue, engine.settings()))
                .toList())
        .response();
  }

  /** Pauses or resumes a queue, or limits the number of its concurrent jobs. */
  @PATCH
  @Path("{queue}")
  @Consumes(MediaType.APPLICATION_JSON)
  @AnyQueue(Role.OPERATOR)
  public Response change(@PathParam("queue") String queue, InputStream body) {
    Names.checkQueue(queue);
    var change = QueueChanges.read(Body.small(body).json());
    return Answer.of(200, QueueAnswer.of(access.to(control).change(queue, change))).response();
  }

  /** Enqueues a job, or an array of jobs in one transaction. */
  @POST
  @Path("{queue}/jobs")
  @Consumes(MediaType.APPLICATION_JSON)
  @AnyQueue(Role.OPERATOR)
  public Response enqueue(
      @PathParam("queue") String queue, @BeanParam Caller caller, InputStream body) {
    Names.checkQueue(queue);
    Body read = Body.objects(body, limits);
    JsonText json = read.json();
    JobRequests jobs = new JobRequests(queue, limits);
    if (json.isArray()) {
      List<NewJob> all = jobs.all(json);
      return idempotencyKeys.post(caller, read, () -> enqueueAll(all));
    }
    NewJob one = jobs.one(json);
    return idempotencyKeys.post(caller, read, () -> enqueueOne(one, caller));
  }

  /** Cancels all waiting jobs of a queue. */
  @POST
  @Path("{queue}/purge")
  @AnyQueue(Role.ADMIN)
  public Response purge(@PathParam("queue") String queue, InputStream body) {
    Body.none(body);
    Names.checkQueue(queue);
    access.to(browser).requireQueue(queue);
    return Answer.of(200, new Purged(access.to(purge).purge(queue))).response();
  }

  private Answer enqueueOne(NewJob job, Caller caller) {
    JobIntake.Taken taken = access.to(intake).enqueue(job);
    // If a live job has the unique key, the response describes that job, which may be in a queue
    // that the caller is not allowed to operate.
    PayloadMask mask = masking.of(access.get(), taken.job().job().queue());
    return JobDetailsAnswer.of(taken.isNew() ? 201 : 200, taken.job(), mask)
        .at(caller.locationOf(taken.job().job().id()));
  }

  private Answer enqueueAll(List<NewJob> jobs) {
    return Answer.of(
        201, new Ids(access.to(intake).enqueue(jobs).stream().map(Enqueued::id).toList()));
  }
}
