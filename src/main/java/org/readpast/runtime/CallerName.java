package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.model.Principal;

/**
 * Returns the user that is signed in on this thread. This class is an EJB, because every server
 * makes the caller known to an EJB, even in library code and if the security feature of the server
 * is disabled.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.SUPPORTS)
public class CallerName {
  // Names that servers use for an unauthenticated caller.
  private static final Set<String> NOBODY = Set.of("", "ANONYMOUS", "UNAUTHENTICATED", "anonymous");

  @Resource SessionContext context;

  @Resource(lookup = "java:app/AppName")
  @Nullable String application;

  /** Returns the name of the user, or the name of the application if no user is signed in. */
  public String get() {
    String name = signedIn();
    if (name != null) {
      return name;
    }
    return application == null ? "application" : application;
  }

  /**
   * Returns the signed-in user, with the given roles of this user that an EJB of the application
   * can see. {@link WebRoles} finds further roles of the user.
   *
   * @param asked the roles that are checked
   */
  public Principal caller(Set<String> asked) {
    String name = signedIn();
    // No role is checked for an unauthenticated caller: a server without its security feature might
    // grant any role.
    return name == null
        ? Principal.NOBODY
        : Principal.of(
            name, asked.stream().filter(context::isCallerInRole).collect(Collectors.toSet()));
  }

  private @Nullable String signedIn() {
    java.security.Principal principal = context.getCallerPrincipal();
    String name = principal == null ? null : principal.getName();
    return isNobody(name) ? null : name;
  }

  static boolean isNobody(@Nullable String name) {
    return name == null || NOBODY.contains(name);
  }
}
