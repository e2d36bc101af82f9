package org.readpast.rest.rules;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Scoped;
import org.readpast.admin.SqlWork;
import org.readpast.admin.store.SqlLog;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;

/** Shows the statements that SQL jobs have executed. */
@ApplicationScoped
@Path("sql/executions")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class SqlResource {
  @Inject Scoped<SqlWork> work;
  @Inject CallerAccess access;

  /** Holds a page of executions and the cursor of the next page. */
  public record Page(List<SqlLog.Entry> executions, @Nullable String next) {}

  /** Returns the executions of one job or of all jobs, newest first. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response list(
      @QueryParam("job") @Nullable String job,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    int most = Parameters.limit(limit);
    List<SqlLog.Entry> found =
        access.to(work).log(Cursor.read(cursor), job == null ? null : Parameters.id(job), most + 1);
    List<SqlLog.Entry> shown = found.subList(0, Math.min(most, found.size()));
    return Answer.of(
            200,
            new Page(shown, found.size() > most ? Cursor.below(shown.get(most - 1).id()) : null))
        .response();
  }
}
