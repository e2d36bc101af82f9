package org.readpast.runtime;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.security.enterprise.SecurityContext;

/**
 * The roles of a caller as the component knows them that enqueues. Payara knows of an EJB only the
 * roles that its own class declares, and a library's cannot know any; Open Liberty has no Jakarta
 * Security unless its feature is there, so nothing but this class names it.
 */
final class WebRoles {
  private WebRoles() {}

  static boolean has(String role) {
    try {
      Instance<SecurityContext> security = CDI.current().select(SecurityContext.class);
      return security.isResolvable() && security.get().isCallerInRole(role);
    } catch (LinkageError e) {
      return false;
    }
  }
}
