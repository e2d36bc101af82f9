package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    Principal principal = context.getCallerPrincipal();
    String name = principal == null ? null : principal.getName();
    if (name != null && !NOBODY.contains(name)) {
      return name;
    }
    return application == null ? "application" : application;
  }
}
