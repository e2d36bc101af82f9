package org.readpast.rest.schedules;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Limits;
import org.readpast.admin.ScheduleControl;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.LastRunView;
import org.readpast.admin.store.ScheduleRunView;
import org.readpast.admin.store.ScheduleView;
import org.readpast.model.Names;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;
import org.readpast.rest.jobs.Masking;
import org.readpast.rest.jobs.PayloadMask;

/** Shows and changes schedules, with their next planned times and the outcomes of past runs. */
@ApplicationScoped
@Path("schedules")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class SchedulesResource {
  private static final int NEXT_RUNS = 5;
  private static final int MOST_LAST_RUNS = 20;

  @Inject Scoped<ScheduleControl> control;
  @Inject CallerAccess access;
  @Inject Limits limits;
  @Inject IdempotencyKeys idempotencyKeys;
  @Inject Masking masking;

  /** Holds a page of runs and the cursor of the earlier runs. */
  public record Runs(List<ScheduleRunAnswer> runs, @Nullable String next) {}

  /** Returns every schedule, ordered by name, with its latest runs on request. */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response list(
      @QueryParam("next") @Nullable String next, @QueryParam("runs") @Nullable String runs) {
    int nextRuns = Parameters.next(next, NEXT_RUNS);
    int most = Parameters.number("runs", runs, 0, MOST_LAST_RUNS);
    ScheduleControl schedules = access.to(control);
    Map<String, List<LastRunView>> lastRuns = most == 0 ? null : schedules.lastRuns(most);
    String json =
        schedules.all().stream()
            .map(
                view ->
                    ScheduleAnswer.json(
                        view,
                        nextRuns,
                        lastRuns == null
                            ? null
                            : lastRuns.getOrDefault(view.definition().name(), List.of()),
                        mask(view)))
            .collect(Collectors.joining(",", "[", "]"));
    return new Answer(200, null, json).response();
  }

  /** Returns a schedule. */
  @GET
  @Path("{name}")
  @AnyQueue(Role.VIEWER)
  public Response get(@PathParam("name") String name, @QueryParam("next") @Nullable String next) {
    Names.checkSchedule(name);
    int runs = Parameters.next(next, NEXT_RUNS);
    ScheduleView found = access.to(control).get(name);
    return answer(200, found, runs, mask(found));
  }

  /** Creates (201) or replaces (200) a schedule. */
  @PUT
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.ADMIN)
  public Response define(@PathParam("name") String name, InputStream body) {
    var request = ScheduleRequest.read(name, Body.object(body, limits).json(), limits);
    var defined = access.to(control).define(request.schedule(), !request.saysEnabled());
    return answer(defined.isNew() ? 201 : 200, defined.schedule(), NEXT_RUNS, PayloadMask.NONE);
  }

  /** Deletes a schedule that was defined over REST. */
  @DELETE
  @Path("{name}")
  @RolesAllowed(Roles.ADMIN)
  public Response delete(@PathParam("name") String name) {
    Names.checkSchedule(name);
    access.to(control).delete(name);
    return Response.noContent().build();
  }

  /** Enables or disables a schedule. */
  @PATCH
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.ADMIN)
  public Response change(@PathParam("name") String name, InputStream body) {
    Names.checkSchedule(name);
    boolean enabled = ScheduleRequest.enabled(Body.small(body).json());
    return answer(200, access.to(control).switchTo(name, enabled), NEXT_RUNS, PayloadMask.NONE);
  }

  /** Returns the outcomes of a schedule's planned runs, the latest first. */
  @GET
  @Path("{name}/runs")
  @AnyQueue(Role.VIEWER)
  public Response runs(
      @PathParam("name") String name,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    Names.checkSchedule(name);
    int most = Parameters.limit(limit);
    Instant before = Cursor.readMoment(cursor);
    List<ScheduleRunView> found = access.to(control).runs(name, before, most + 1);
    List<ScheduleRunView> shown = found.subList(0, Math.min(most, found.size()));
    String next = found.size() > most ? Cursor.below(shown.get(most - 1).plannedAt()) : null;
    return Answer.of(200, new Runs(shown.stream().map(ScheduleRunAnswer::of).toList(), next))
        .response();
  }

  /** Enqueues a job of a schedule now. */
  @POST
  @Path("{name}/runs")
  @AnyQueue(Role.OPERATOR)
  public Response run(@PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    Names.checkSchedule(name);
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          ScheduleRunView run = access.to(control).run(name);
          Answer answer = Answer.of(201, ScheduleRunAnswer.of(run));
          return run.job() == null ? answer : answer.at(caller.locationOf(run.job()));
        });
  }

  private PayloadMask mask(ScheduleView schedule) {
    return masking.of(access.get(), schedule.definition().queue());
  }

  private static Response answer(int status, ScheduleView schedule, int runs, PayloadMask mask) {
    return new Answer(status, null, ScheduleAnswer.json(schedule, runs, mask)).response();
  }
}
