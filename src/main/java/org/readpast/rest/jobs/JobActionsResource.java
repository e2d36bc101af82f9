package org.readpast.rest.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.Bulk;
import org.readpast.admin.JobControl;
import org.readpast.admin.Limits;
import org.readpast.admin.Scoped;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;

/** Executes operators' actions on jobs. */
@ApplicationScoped
@Path("jobs")
@AnyQueue(Role.OPERATOR)
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JobActionsResource {
  @Inject Scoped<Browser> browser;
  @Inject Scoped<JobControl> control;
  @Inject Scoped<Bulk> bulk;
  @Inject CallerAccess access;
  @Inject Limits limits;
  @Inject IdempotencyKeys idempotencyKeys;

  /** Cancels a waiting job (200), or asks a running job to end (202). */
  @POST
  @Path("{id}/cancellation")
  public Response cancel(@PathParam("id") String id, @BeanParam Caller caller, InputStream body) {
    long job = Parameters.id(id);
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          int status = access.to(control).cancel(job) ? 200 : 202;
          return JobDetailsAnswer.of(status, access.to(browser).job(job));
        });
  }

  /** Makes a SCHEDULED job AVAILABLE immediately. */
  @POST
  @Path("{id}/run")
  public Response run(@PathParam("id") String id, @BeanParam Caller caller, InputStream body) {
    long job = Parameters.id(id);
    return change(caller, Body.none(body), job, () -> access.to(control).runNow(job));
  }

  /** Changes the due time of a job that has not started. */
  @POST
  @Path("{id}/reschedule")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response reschedule(
      @PathParam("id") String id, @BeanParam Caller caller, InputStream body) {
    long job = Parameters.id(id);
    Body read = Body.small(body);
    Instant at = JobEdit.at(read);
    return change(caller, read, job, () -> access.to(control).reschedule(job, at));
  }

  /** Changes the priority of a waiting job. */
  @POST
  @Path("{id}/priority")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response prioritize(
      @PathParam("id") String id, @BeanParam Caller caller, InputStream body) {
    long job = Parameters.id(id);
    Body read = Body.small(body);
    int priority = JobEdit.priority(read);
    return change(caller, read, job, () -> access.to(control).changePriority(job, priority));
  }

  /** Deletes an ended job and everything that is stored about it. */
  @DELETE
  @Path("{id}")
  public Response delete(@PathParam("id") String id) {
    access.to(control).delete(Parameters.id(id));
    return Response.noContent().build();
  }

  /**
   * Resets an ended job to AVAILABLE with its full number of attempts, optionally with another
   * payload.
   */
  @POST
  @Path("{id}/reset")
  public Response reset(
      @PathParam("id") String id,
      @QueryParam("force") @Nullable String force,
      @BeanParam Caller caller,
      InputStream body) {
    long job = Parameters.id(id);
    Body read = Body.object(body, limits);
    String payload = JobEdit.payload(read, limits);
    boolean forced = Parameters.flag("force", force);
    return change(caller, read, job, () -> access.to(control).reset(job, forced, payload));
  }

  /** Changes a job unless the request repeats an earlier one, and returns the job. */
  private Response change(Caller caller, Body body, long job, Runnable change) {
    return idempotencyKeys.post(
        caller,
        body,
        () -> {
          change.run();
          return JobDetailsAnswer.of(200, access.to(browser).job(job));
        });
  }

  /**
   * Reports the result of one call.
   *
   * @param next the cursor at which to continue, or null if all jobs are done
   */
  public record BulkAnswer(
      int changed, int found, @Nullable String next, boolean overlooksEncrypted) {}

  /**
   * Resets, runs, cancels, deletes, prioritizes or moves the given jobs, or for a second or two the
   * matching jobs.
   */
  @POST
  @Path("bulk")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response bulk(InputStream body) {
    return bulk(BulkRequest.read(Body.small(body).json(), limits.jobs()));
  }

  /**
   * Deletes the content of the given ended jobs, or for a second or two that of the matching ones.
   */
  @POST
  @Path("erase")
  @AnyQueue(Role.ADMIN)
  @Consumes(MediaType.APPLICATION_JSON)
  public Response erase(InputStream body) {
    return bulk(BulkRequest.readErasure(Body.small(body).json(), limits.jobs()));
  }

  private Response bulk(BulkRequest request) {
    Set<Long> ids = request.ids();
    Bulk.Result result =
        ids == null
            ? access.to(bulk).applyToMatching(request.change(), request.search(), request.below())
            : access.to(bulk).applyTo(request.change(), ids);
    Long next = result.next();
    return Answer.of(
            200,
            new BulkAnswer(
                result.changed(),
                result.found(),
                next == null ? null : Cursor.below(next),
                result.overlooksEncrypted()))
        .response();
  }
}
