package org.readpast.rest.system;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Audit;
import org.readpast.admin.Scoped;
import org.readpast.admin.store.AuditLog;
import org.readpast.model.Role;
import org.readpast.rest.access.AnyQueue;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.Problem;
import org.readpast.rest.http.RequestException;

/** Shows the entries of the audit log: each change with its user and time. */
@ApplicationScoped
@Path("audit")
@Produces({MediaType.APPLICATION_JSON, "text/csv", Problem.MEDIA_TYPE})
public class AuditResource {
  @Inject Scoped<Audit> audit;
  @Inject CallerAccess access;

  /** Holds the parameters that select audit entries. */
  public static class Wanted {
    @QueryParam("who")
    @Nullable String who;

    @QueryParam("action")
    @Nullable String action;

    @QueryParam("target")
    @Nullable String target;

    @QueryParam("from")
    @Nullable String from;

    @QueryParam("to")
    @Nullable String to;

    AuditLog.Filter filter() {
      return new AuditLog.Filter(
          text("who", who),
          text("action", action),
          text("target", target),
          Parameters.moment("from", from),
          Parameters.moment("to", to));
    }

    private static @Nullable String text(String name, @Nullable String given) {
      if (given != null && given.indexOf('\0') >= 0) {
        throw RequestException.malformed(
            name + " contains a NUL character; specify a name, which cannot contain NUL");
      }
      return given == null || given.isBlank() ? null : given.strip();
    }
  }

  /** Returns a page of audit entries, newest first; with a format, all entries as a file. */
  @GET
  @AnyQueue(Role.VIEWER)
  public Response list(
      @BeanParam Wanted wanted,
      @QueryParam("format") @Nullable String format,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    AuditLog.Filter filter = wanted.filter();
    Long before = Cursor.read(cursor);
    if (format != null) {
      return new AuditExport(access.to(audit), filter, before, format(format), AuditExport.MOST)
          .response();
    }
    int most = Parameters.limit(limit);
    List<AuditLog.Entry> found = access.to(audit).page(filter, before, most + 1);
    List<AuditLog.Entry> shown = found.subList(0, Math.min(most, found.size()));
    String next =
        found.size() > most ? ",\"next\":\"" + Cursor.below(shown.get(most - 1).id()) + '"' : "";
    return new Answer(
            200,
            null,
            shown.stream()
                .map(AuditAnswer::json)
                .collect(Collectors.joining(",", "{\"entries\":[", "]" + next + "}")))
        .response();
  }

  private static AuditExport.Format format(String given) {
    return switch (given) {
      case "csv" -> AuditExport.Format.CSV;
      case "json" -> AuditExport.Format.JSON;
      default ->
          throw RequestException.malformed(
              "format is '"
                  + RequestException.quote(given)
                  + "'; specify csv or json, or leave it out");
    };
  }
}
