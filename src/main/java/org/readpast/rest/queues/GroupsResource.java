package org.readpast.rest.queues;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import org.readpast.admin.BatchControl;
import org.readpast.admin.Scoped;
import org.readpast.model.Names;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.RequestException;

/** Changes the groups of a queue, whose jobs run in order, by default one at a time. */
@ApplicationScoped
@Path("queues/{queue}/groups")
@AnyQueue(Role.OPERATOR)
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class GroupsResource {
  @Inject Scoped<BatchControl> control;
  @Inject CallerAccess access;
  @Inject IdempotencyKeys idempotencyKeys;

  /** Reports the new setting of a group. */
  public record GroupAnswer(String queue, String group, int concurrency) {}

  /** Reports the requested change to a group. */
  public record Skipped(String queue, String group) {}

  /** Sets how many jobs of the group may run concurrently. */
  @PATCH
  @Path("{group: .+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response change(
      @PathParam("queue") String queue, @PathParam("group") String group, InputStream body) {
    Names.checkQueue(queue);
    Fields fields = Fields.of(Body.small(body).json(), "the body", List.of("concurrency"));
    Integer concurrency = fields.whole("concurrency");
    if (concurrency == null || concurrency < 1 || concurrency > 1000) {
      throw RequestException.malformed("concurrency is " + concurrency + "; specify 1 to 1000");
    }
    access.to(control).limitGroup(queue, group, concurrency);
    return Answer.of(200, new GroupAnswer(queue, group, concurrency)).response();
  }

  /** Lets the group continue in spite of the discarded job that holds it. */
  @POST
  @Path("{group: .+}/skip")
  public Response skip(
      @PathParam("queue") String queue,
      @PathParam("group") String group,
      @BeanParam Caller caller,
      InputStream body) {
    Names.checkQueue(queue);
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          access.to(control).skipGroup(queue, group);
          return Answer.of(202, new Skipped(queue, group));
        });
  }
}
