package org.readpast.rest.http;

import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.readpast.api.DatabaseUnavailableException;
import org.readpast.api.ReadpastException;
import org.readpast.database.TransientErrors;
import org.readpast.engine.EngineStatus;
import org.readpast.model.Causes;

/**
 * Converts every exception to a problem by RFC 9457. An unexpected exception is logged, and the
 * response contains only its id.
 */
@Provider
public class ProblemMapper implements ExceptionMapper<Throwable> {
  private static final System.Logger LOG = System.getLogger(ProblemMapper.class.getName());
  private static final SecureRandom RANDOM = new SecureRandom();

  @Context UriInfo uri;
  @Inject EngineStatus engine;

  @Override
  public Response toResponse(Throwable thrown) {
    if (thrown instanceof WebApplicationException e && e.getResponse().getStatus() < 500) {
      return ofContainer(e.getResponse());
    }
    ReadpastException known = known(thrown);
    if (known == null ? isOutage(thrown) : known instanceof DatabaseUnavailableException) {
      engine.logFailure(
          LOG,
          Level.WARNING,
          "READPAST-0503 a request received status 503, because the database"
              + " did not respond, or ended the transaction because of a conflict",
          thrown);
      return answer(
              Refusal.UNAVAILABLE.status(),
              "the database is unavailable, or ended the transaction because of a conflict; try"
                  + " again in a few seconds")
          .header(HttpHeaders.RETRY_AFTER, 5)
          .build();
    }
    if (known != null) {
      return answer(status(known), String.valueOf(known.getMessage())).build();
    }
    String id = "READPAST-" + HexFormat.of().toHexDigits(RANDOM.nextInt());
    LOG.log(Level.ERROR, id + " a request failed", thrown);
    return answer(
            500, "an unexpected error occurred; the cause is in the server's log, under " + id)
        .build();
  }

  private static boolean isOutage(Throwable thrown) {
    return TransientErrors.isTransient(thrown) || TransientErrors.isOutage(thrown);
  }

  private Response ofContainer(Response response) {
    String detail =
        switch (response.getStatus()) {
          case 401 -> "authenticate with HTTP Basic";
          case 403 ->
              "your roles do not allow this; viewers may read, operators may also change"
                  + " jobs and queues";
          case 404 -> "this path does not exist; /openapi lists all paths";
          case 405 ->
              "this path does not support the method; the header Allow lists those that it"
                  + " supports";
          case 406 -> "responses are application/json; accept that media type";
          case 415 -> "send the body as application/json";
          default -> "the request is not valid; /openapi describes valid requests";
        };
    Response.ResponseBuilder answer = answer(response.getStatus(), detail);
    String allow = response.getHeaderString(HttpHeaders.ALLOW);
    return allow == null ? answer.build() : answer.header(HttpHeaders.ALLOW, allow).build();
  }

  /**
   * Returns the known exception among the causes, because containers wrap exceptions that are
   * thrown in a transaction.
   */
  private static @Nullable ReadpastException known(Throwable thrown) {
    return Causes.of(thrown)
        .filter(ReadpastException.class::isInstance)
        .map(ReadpastException.class::cast)
        .filter(e -> status(e) != 500)
        .findFirst()
        .orElse(null);
  }

  private static int status(ReadpastException thrown) {
    if (thrown instanceof RequestException e) {
      return e.status().getStatusCode();
    }
    Refusal refusal = Refusal.of(thrown);
    return refusal == null ? 500 : refusal.status();
  }

  private Response.ResponseBuilder answer(int status, String detail) {
    String path = uri.getRequestUri().getRawPath();
    return Response.status(status)
        .type(Problem.MEDIA_TYPE)
        .entity(Problem.of(status, detail, path).json());
  }
}
