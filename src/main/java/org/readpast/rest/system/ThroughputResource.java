package org.readpast.rest.system;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Scoped;
import org.readpast.admin.Throughput;
import org.readpast.admin.Throughput.By;
import org.readpast.admin.Throughput.Span;
import org.readpast.model.Names;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.RequestException;

/** Shows rates and durations over time, for the charts of the console. */
@ApplicationScoped
@Path("throughput")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class ThroughputResource {
  @Inject Scoped<Throughput> throughput;
  @Inject CallerAccess access;

  /**
   * Returns rates and percentiles per second or per minute, of all queues, of one queue or of one
   * job type.
   */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response series(
      @QueryParam("span") @Nullable String span,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("type") @Nullable String type,
      @QueryParam("since") @Nullable String since) {
    Span read = span(span);
    if (queue != null) {
      Names.checkQueue(queue);
    }
    if (type != null) {
      Names.checkType(type);
      requireSeconds(read, "leave out the type");
    }
    return Answer.of(200, access.to(throughput).series(read, queue, type, since(since))).response();
  }

  /** Returns the attempts that ended per second or per minute, for the busiest queues or types. */
  @GET
  @Path("breakdown")
  @AnyQueue(Role.VIEWER)
  public Response breakdown(
      @QueryParam("span") @Nullable String span,
      @QueryParam("by") @Nullable String by,
      @QueryParam("queue") @Nullable String queue) {
    Span read = span(span);
    By group = by(by);
    if (queue != null) {
      Names.checkQueue(queue);
    }
    if (group == By.TYPE) {
      requireSeconds(read, "by=queue");
    }
    return Answer.of(200, access.to(throughput).breakdown(read, group, queue)).response();
  }

  private static void requireSeconds(Span span, String otherwise) {
    if (!span.isBySecond()) {
      throw RequestException.malformed(
          "minutes are not stored by type; specify span=PT5M, or " + otherwise);
    }
  }

  private static By by(@Nullable String given) {
    if (given == null || given.equals("queue")) {
      return By.QUEUE;
    }
    if (given.equals("type")) {
      return By.TYPE;
    }
    throw RequestException.malformed(
        "by is '" + RequestException.quote(given) + "'; specify queue or type");
  }

  /** Returns the slowest job types of the last five minutes. */
  @GET
  @Path("types")
  @AnyQueue(Role.VIEWER)
  public Response types() {
    return Answer.of(200, access.to(throughput).types()).response();
  }

  private static @Nullable Long since(@Nullable String given) {
    if (given != null && !given.matches("\\d{1,12}")) {
      throw RequestException.malformed(
          "since is '"
              + RequestException.quote(given)
              + "'; specify seconds since 1970, as in 'at' of an earlier response");
    }
    return given == null ? null : Long.valueOf(given);
  }

  private static Span span(@Nullable String given) {
    return given == null
        ? Span.PT5M
        : Parameters.oneOf("span", given, Arrays.asList(Span.values()));
  }
}
