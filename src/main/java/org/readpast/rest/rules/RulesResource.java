package org.readpast.rest.rules;

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
import org.jspecify.annotations.Nullable;
import org.readpast.admin.RuleControl;
import org.readpast.admin.Scoped;
import org.readpast.model.Rule;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;
import org.readpast.rest.jobs.JobDetailsAnswer;

/**
 * Shows and changes rules, which are searches whose results become jobs. Only administrators may
 * change them, because they contain SQL.
 */
@ApplicationScoped
@Path("rules")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class RulesResource {
  @Inject Scoped<RuleControl> rules;
  @Inject CallerAccess access;
  @Inject IdempotencyKeys idempotencyKeys;

  /** Returns all rules with their last runs, ordered by name. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list() {
    return Answer.of(
            200,
            access.to(rules).allWithRuns().stream()
                .map(rule -> RuleAnswer.of(rule.rule(), rule.run()))
                .toList())
        .response();
  }

  /** Returns a rule with its last run. */
  @GET
  @Path("{name}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response get(@PathParam("name") String name) {
    return answer(200, name);
  }

  /** Creates (201) or replaces (200) a rule. */
  @PUT
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.ADMIN)
  public Response put(@PathParam("name") String name, InputStream body) {
    Rule rule = new RuleBody(Body.small(body).json()).whole(name);
    return answer(access.to(rules).put(rule) ? 201 : 200, name);
  }

  /** Changes some fields of a rule; null removes an optional field. */
  @PATCH
  @Path("{name}")
  @Consumes(MediaType.APPLICATION_JSON)
  @RolesAllowed(Roles.ADMIN)
  public Response change(@PathParam("name") String name, InputStream body) {
    RuleBody changes = new RuleBody(Body.small(body).json());
    access.to(rules).change(name, changes::changed);
    return answer(200, name);
  }

  /** Deletes a rule; the jobs that it has created are kept. */
  @DELETE
  @Path("{name}")
  @RolesAllowed(Roles.ADMIN)
  public Response delete(@PathParam("name") String name) {
    access.to(rules).delete(name);
    return Response.noContent().build();
  }

  /** Starts a run of a rule, by enqueueing the job that runs it (202). */
  @POST
  @Path("{name}/runs")
  @RolesAllowed({Roles.OPERATOR, Roles.ADMIN})
  public Response run(@PathParam("name") String name, @BeanParam Caller caller, InputStream body) {
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          var taken = access.to(rules).run(name);
          return JobDetailsAnswer.of(202, taken.job())
              .at(caller.locationOf(taken.job().job().id()));
        });
  }

  /** Returns the results of a rule's latest runs, newest first. */
  @GET
  @Path("{name}/runs")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response runs(
      @PathParam("name") String name, @QueryParam("limit") @Nullable String limit) {
    return Answer.of(
            200,
            access.to(rules).runs(name, Parameters.limit(limit)).stream()
                .map(RuleAnswer.Run::of)
                .toList())
        .response();
  }

  private Response answer(int status, String name) {
    return Answer.of(
            status, RuleAnswer.of(access.to(rules).get(name), access.to(rules).latest(name)))
        .response();
  }
}
