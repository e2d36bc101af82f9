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
 * Says who acts on this thread. An EJB, because that is how a container tells it to library code
 * without its security feature being asked for.
 */
@Stateless
@TransactionAttribute(TransactionAttributeType.SUPPORTS)
public class CallerName {
  // What the servers call somebody whom they do not know.
  private static final Set<String> NOBODY = Set.of("", "ANONYMOUS", "UNAUTHENTICATED", "anonymous");

  @Resource SessionContext context;

  @Resource(lookup = "java:app/AppName")
  @Nullable String application;

  /** A person's name; where nobody is signed in, that of the application. */
  public String get() {
    String name = signedIn();
    if (name != null) {
      return name;
    }
    return application == null ? "application" : application;
  }

  /**
   * Who is signed in, and in which of these roles of the application, as an EJB sees it; see {@link
   * WebRoles} for others.
   *
   * @param asked only these are asked for
   */
  public Principal caller(Set<String> asked) {
    String name = signedIn();
    // Of nobody no role is asked: without its security feature a server might say yes to any.
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
