package org.readpast.rest.access;

import jakarta.annotation.security.PermitAll;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.security.enterprise.credential.UsernamePasswordCredential;
import jakarta.security.enterprise.identitystore.CredentialValidationResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.readpast.model.QueueAccess;
import org.readpast.model.Role;
import org.readpast.rest.http.Answer;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.Problem;
import org.readpast.rest.oidc.OidcServlet;
import org.readpast.rest.oidc.OpenIdConnect;
import org.readpast.rest.signin.PasswordCheck;
import org.readpast.rest.signin.SignIn;

/** Signs users in and out. No other resource of the API responds to unauthenticated callers. */
@ApplicationScoped
@PermitAll
@Path("session")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class SessionResource {
  /** Contains the path of this resource, below that of the API. */
  static final String PATH = "/session";

  @Inject PasswordCheck passwords;
  @Inject OpenIdConnect openId;
  @Inject CallerAccess access;
  @Context HttpServletRequest request;

  /**
   * Describes the signed-in user.
   *
   * @param name the name of the user, or null if no user is signed in
   * @param csrfToken the token that must be sent with each change, in the header X-CSRF-Token
   * @param provider the display name of the OpenID provider for signing in, or null if there is
   *     none
   * @param others the role in all queues except those in {@code queues}
   * @param queues the roles in restricted queues; queues in which the user has no role are omitted
   */
  public record Session(
      @Nullable String name,
      Set<String> roles,
      @Nullable String csrfToken,
      @Nullable String provider,
      Role others,
      Map<String, Role> queues) {}

  /**
   * Reports that a session has ended.
   *
   * @param signOut the address at which the OpenID provider also signs the user out
   */
  public record EndedSession(String signOut) {}

  private Response answer(@Nullable SignIn signIn) {
    String provider = openId.name();
    Set<String> roles = signIn == null ? Set.of() : signIn.roles();
    QueueAccess caller = access.of(roles);
    Map<String, Role> queues = new TreeMap<>(caller.queues());
    // The response omits queues in which the user has no role, so that it does not reveal their
    // names.
    queues.values().removeIf(Role.NONE::equals);
    Session session =
        new Session(
            signIn == null ? null : signIn.name(),
            roles,
            signIn == null ? null : signIn.token(),
            provider,
            caller.others(),
            queues);
    return Answer.of(200, session).response();
  }

  /** Returns the signed-in user; a request without a signed-in user is not an error. */
  @GET
  public Response get() {
    return answer(SignIn.of(request));
  }

  /** Begins a session with a name and a password. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  public Response begin(InputStream body) {
    Fields fields = Fields.of(Body.small(body).json(), "a sign-in", List.of("name", "password"));
    PasswordCheck.Result result =
        passwords.check(
            new UsernamePasswordCredential(
                fields.required("name", "the name of a user"),
                fields.required("password", "the password of that user")),
            request.getRemoteAddr());
    if (!result.isValid()) {
      var refusal =
          Response.status(result.status())
              .type(Problem.MEDIA_TYPE)
              .entity(Problem.of(result.status(), result.detail(), request.getRequestURI()).json());
      if (result.status() == 401) {
        refusal.header("WWW-Authenticate", Authentication.SESSION);
      }
      result.headers().forEach(refusal::header);
      return refusal.build();
    }
    CredentialValidationResult who = result.validation();
    return answer(SignIn.begin(request, who.getCallerPrincipal().getName(), who.getCallerGroups()));
  }

  /** Ends the session, and returns the address at which the OpenID provider ends its own. */
  @DELETE
  public Response end() {
    String idToken = SignIn.idToken(request);
    SignIn.end(request);
    String signOut = idToken == null ? null : openId.signOut(idToken, OidcServlet.root(request));
    return signOut == null
        ? Response.noContent().build()
        : Answer.of(200, new EndedSession(signOut)).response();
  }
}
