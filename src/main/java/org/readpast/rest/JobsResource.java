package org.readpast.rest;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.model.JobSearch;

/** Jobs, live and ended. */
@ApplicationScoped
@Path("jobs")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JobsResource {
  @Inject Browser browser;
  @Inject Masking masking;

  /** Those that match, newest first, without payloads; a search that takes long goes on later. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list(
      @BeanParam SearchParameters search,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor,
      @Context SecurityContext caller) {
    int most = Parameters.limit(limit);
    return Answer.of(
            200, JobPage.of(browser.jobs(read(search, caller), Cursor.read(cursor), most), most))
        .response();
  }

  /** How many jobs match in each state, as far as can be told at once. */
  @GET
  @Path("counts")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response counts(@BeanParam SearchParameters search, @Context SecurityContext caller) {
    return Answer.of(200, JobCounts.of(read(search, caller), browser)).response();
  }

  private JobSearch read(SearchParameters parameters, SecurityContext caller) {
    JobSearch search = parameters.read();
    masking.check(search.payload(), caller);
    return search;
  }

  /** One, with its attempts and its payload, of which viewers do not see all. */
  @GET
  @Path("{id}")
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response get(@PathParam("id") String id, @Context SecurityContext caller) {
    return Answer.of(200, browser.job(Parameters.id(id)), masking.of(caller)).response();
  }
}
