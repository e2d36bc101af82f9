package org.readpast.runtime;

import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.security.enterprise.SecurityContext;

/**
 * Checks the roles of a caller as the enqueuing component sees them. For an EJB, Payara knows only
 * the roles that the EJB's own class declares, and a library's class cannot declare an
 * application's roles. Open Liberty provides Jakarta Security only if its feature is enabled, so
 * only this class refers to that API.
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
