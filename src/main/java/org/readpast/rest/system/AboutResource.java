package org.readpast.rest.system;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.readpast.admin.About;
import org.readpast.admin.Scoped;
import org.readpast.rest.access.CallerAccess;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Problem;
import org.readpast.rest.jobs.Masking;

/** Reports what is running, its configuration, and the state of the database. */
@ApplicationScoped
@Path("about")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class AboutResource {
  @Inject Scoped<About> about;
  @Inject CallerAccess access;
  @Inject Masking masking;
  @Context HttpServletRequest request;

  /** Combines all parts of the report. */
  public record AboutAnswer(
      Map<String, String> versions, About.Database database, List<About.Setting> configuration) {}

  /** Returns the current versions, configuration and state of the database. */
  @GET
  @RolesAllowed({Roles.VIEWER, Roles.OPERATOR, Roles.ADMIN})
  public Response get() {
    About shown = access.to(about);
    Map<String, String> versions = shown.versions(request.getServletContext().getServerInfo());
    List<About.Setting> configuration = shown.configuration().stream().map(this::shown).toList();
    return Answer.of(200, new AboutAnswer(versions, shown.database(), configuration)).response();
  }

  /** Returns the setting by which fields are masked, as the response shows it to every user. */
  private About.Setting shown(About.Setting setting) {
    String value = setting.value();
    return value == null || !setting.key().endsWith(".payload")
        ? setting
        : new About.Setting(
            setting.key(),
            masking.of(access.get()).mask(value),
            setting.source(),
            setting.secret(),
            setting.known());
  }
}
