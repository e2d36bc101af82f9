package org.readpast.rest.jobs;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Browser;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.JobDetails;
import org.readpast.model.JobSearch;
import org.readpast.model.Role;
import org.readpast.model.SearchOrder;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;

/** Shows live and ended jobs. */
@ApplicationScoped
@Path("jobs")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class JobsResource {
  @Inject Scoped<Browser> browser;
  @Inject CallerAccess access;
  @Inject Masking masking;

  /**
   * Returns matching jobs, by default the newest first, without payloads; a search that takes a
   * long time is continued by a further request.
   */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response list(
      @BeanParam SearchParameters search,
      @QueryParam("order") @Nullable String order,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    int most = Parameters.limit(limit);
    SearchOrder sorted = Parameters.order(order);
    Long after = Cursor.read(sorted, cursor);
    Browser.Found found = access.to(browser).jobs(read(search), sorted, after, most);
    return Answer.of(200, JobPage.of(found, sorted, most)).response();
  }

  /**
   * Returns the number of matching jobs in each state, as far as they can be counted in a limited
   * time.
   */
  @GET
  @Path("counts")
  @AnyQueue(Role.VIEWER)
  public Response counts(@BeanParam SearchParameters search) {
    return Answer.of(200, JobCounts.of(read(search), access.to(browser))).response();
  }

  /**
   * Returns the most frequent values of the matching jobs, as far as they can be counted in a
   * limited time.
   */
  @GET
  @Path("facets")
  @AnyQueue(Role.VIEWER)
  public Response facets(@BeanParam SearchParameters search) {
    return Answer.of(200, access.to(browser).facets(read(search))).response();
  }

  private JobSearch read(SearchParameters parameters) {
    JobSearch search = parameters.read();
    masking.check(search, access.get());
    return search;
  }

  /** Returns a job with its attempts and its payload; masked fields are hidden from viewers. */
  @GET
  @Path("{id}")
  @AnyQueue(Role.VIEWER)
  public Response get(@PathParam("id") String id) {
    JobDetails job = access.to(browser).job(Parameters.id(id));
    return JobDetailsAnswer.of(200, job, masking.of(access.get(), job.job().queue())).response();
  }
}
