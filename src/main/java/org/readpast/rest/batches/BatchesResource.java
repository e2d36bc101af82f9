package org.readpast.rest.batches;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.BatchControl;
import org.readpast.admin.JobIntake;
import org.readpast.admin.Limits;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.BatchAdmin.Action;
import org.readpast.admin.store.BatchView;
import org.readpast.model.Names;
import org.readpast.model.NewJob;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.RequestException;

/** Shows and changes batches, which are named sets of jobs that run in waves. */
@ApplicationScoped
@Path("batches")
@AnyQueue(Role.OPERATOR)
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class BatchesResource {
  @Inject Scoped<BatchControl> batches;
  @Inject Scoped<JobIntake> intake;
  @Inject CallerAccess access;
  @Inject Limits limits;
  @Inject IdempotencyKeys idempotencyKeys;

  /** Holds a page of batches and the cursor of the next page. */
  public record Page(List<BatchAnswer> batches, @Nullable String next) {}

  /** Returns batches ordered by name. */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response list(
      @QueryParam("limit") @Nullable String limit, @QueryParam("cursor") @Nullable String cursor) {
    int most = Parameters.limit(limit);
    if (cursor != null && !Names.storable(cursor)) {
      throw RequestException.malformed(
          "cursor is not valid; specify the value of 'next' of the previous page, or leave it out");
    }
    List<BatchView> found = access.to(batches).page(cursor == null ? "" : cursor, most + 1);
    List<BatchView> page = found.subList(0, Math.min(most, found.size()));
    return Answer.of(
            200,
            new Page(
                page.stream().map(BatchAnswer::of).toList(),
                found.size() > most ? page.get(most - 1).name() : null))
        .response();
  }

  /** Returns a batch, with its waves and the reasons why they are held. */
  @GET
  @Path("{name: .+}")
  @AnyQueue(Role.VIEWER)
  public Response get(@PathParam("name") String name) {
    return Answer.of(200, BatchAnswer.of(access.to(batches).batch(name))).response();
  }

  /** Returns the dependencies between the jobs of a batch. */
  @GET
  @Path("{name: .+}/graph")
  @AnyQueue(Role.VIEWER)
  public Response graph(@PathParam("name") String name) {
    return Answer.of(200, access.to(batches).graph(name)).response();
  }

  /** Creates a batch unless it exists, and sets its failure policy and its callbacks. */
  @PUT
  @Path("{name: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response define(@PathParam("name") String name, InputStream body) {
    BatchDefinition definition = BatchDefinition.read(Body.object(body, limits).json(), limits);
    access
        .to(intake)
        .check(
            definition.callbacks().values().stream().map(NewJob::type).collect(Collectors.toSet()));
    access.to(batches).define(name, definition.failurePolicy(), definition.callbacks());
    // The batch is read with access to all queues, because access depends on the jobs of a batch,
    // and it may have none yet.
    BatchView defined = batches.within(QueueAccess.EVERYTHING).batch(name);
    return Answer.of(200, BatchAnswer.of(defined)).response();
  }

  /** Closes a batch to further jobs. */
  @POST
  @Path("{name: .+}/seal")
  public Response seal(@PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return request(Action.SEAL, name, caller, body);
  }

  /** Lets higher waves of a batch start in spite of discarded jobs. */
  @POST
  @Path("{name: .+}/skip")
  public Response skip(@PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return request(Action.SKIP, name, caller, body);
  }

  /** Holds the jobs of a batch that wait for their wave. */
  @POST
  @Path("{name: .+}/hold")
  public Response hold(@PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return request(Action.HOLD, name, caller, body);
  }

  /** Ends the hold of the batch. */
  @POST
  @Path("{name: .+}/release")
  public Response release(
      @PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return request(Action.RELEASE, name, caller, body);
  }

  /** Cancels the jobs of a batch that have not started, and asks its running jobs to end. */
  @POST
  @Path("{name: .+}/cancellation")
  public Response cancel(
      @PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return request(Action.CANCEL, name, caller, body);
  }

  private Response request(Action action, String name, Caller caller, InputStream body) {
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          access.to(batches).request(action, name);
          return Answer.of(202, BatchAnswer.of(access.to(batches).batch(name)));
        });
  }
}
