package org.readpast.rest.system;

import jakarta.annotation.security.RolesAllowed;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import org.readpast.admin.EncryptionControl;
import org.readpast.rest.access.Caller;
import org.readpast.rest.access.IdempotencyKeys;
import org.readpast.rest.access.Roles;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Problem;
import org.readpast.rest.jobs.JobDetailsAnswer;

/** Shows and replaces the keys that encrypt the content of jobs. */
@ApplicationScoped
@Path("encryption")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class EncryptionResource {
  @Inject EncryptionControl encryption;
  @Inject IdempotencyKeys idempotencyKeys;

  /** Returns the keys that have been used for encryption. */
  @GET
  @RolesAllowed(Roles.ADMIN)
  public Response state() {
    return Answer.of(200, encryption.state()).response();
  }

  /**
   * Enqueues a job that re-encrypts with the current key all data that is encrypted with other
   * keys.
   */
  @POST
  @Path("rotations")
  @RolesAllowed(Roles.ADMIN)
  public Response rotate(@BeanParam Caller caller, InputStream body) {
    return idempotencyKeys.post(
        caller,
        Body.none(body),
        () -> {
          var taken = encryption.rotate();
          return JobDetailsAnswer.of(202, taken.job())
              .at(caller.locationOf(taken.job().job().id()));
        });
  }
}
