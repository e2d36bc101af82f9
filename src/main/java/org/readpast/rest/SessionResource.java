package org.readpast.rest;

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

/** Signs in and out; the one part of the API that answers somebody unknown. */
@ApplicationScoped
@PermitAll
@Path("session")
@Produces({MediaType.APPLICATION_JSON, Problem.MEDIA_TYPE})
public class SessionResource {
  /** Under the API's own. */
  static final String PATH = "/session";

  @Inject PasswordCheck passwords;
  @Inject OpenIdConnect openId;
  @Inject CallerAccess access;
  @Context HttpServletRequest request;

  /**
   * Who is signed in.
   *
   * @param name null when nobody is
   * @param csrfToken to be sent with each change, as the header X-CSRF-Token
   * @param provider what the OpenID provider is called that people may sign in through; null: none
   * @param others the role in all queues but those of {@code queues}
   * @param queues the roles in restricted queues, as far as there is one
   */
  public record Session(
      @Nullable String name,
      Set<String> roles,
      @Nullable String csrfToken,
      @Nullable String provider,
      Role others,
      Map<String, Role> queues) {}

  /**
   * That a session is over.
   *
   * @param signOut where to go to be signed out by the OpenID provider too
   */
  public record Ended(String signOut) {}

  private Response answer(@Nullable SignIn signIn) {
    String provider = openId.name();
    Set<String> roles = signIn == null ? Set.of() : signIn.roles();
    QueueAccess caller = access.of(roles);
    Map<String, Role> queues = new TreeMap<>(caller.queues());
    // A queue in which there is no role is not named either.
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

  /** Who is signed in; not an error when nobody is. */
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
                fields.required("password", "that user's password")),
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

  /** Ends the session, and tells where the OpenID provider ends its own. */
  @DELETE
  public Response end() {
    String idToken = SignIn.idToken(request);
    SignIn.end(request);
    String signOut = idToken == null ? null : openId.signOut(idToken, OidcServlet.root(request));
    return signOut == null
        ? Response.noContent().build()
        : Answer.of(200, new Ended(signOut)).response();
  }
}
