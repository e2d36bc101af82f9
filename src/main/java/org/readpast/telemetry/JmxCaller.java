package org.readpast.telemetry;

import java.lang.reflect.InvocationTargetException;
import java.security.AccessController;
import java.security.Principal;
import java.util.Set;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/** Who has signed in to the JMX connector whose call this thread serves. */
final class JmxCaller {
  /** Somebody whom no connector has asked for a name: one with the rights of the server itself. */
  private static final String NOBODY = "jmx";

  // What Open Liberty calls somebody whom it does not know.
  private static final Set<String> UNKNOWN = Set.of("", "UNAUTHENTICATED", "WSGUEST");

  private JmxCaller() {}

  static String name() {
    String liberty = ofLiberty();
    if (liberty != null && !UNKNOWN.contains(liberty)) {
      return liberty;
    }
    Subject subject = subject();
    if (subject != null) {
      for (Principal principal : subject.getPrincipals()) {
        return principal.getName();
      }
    }
    return NOBODY;
  }

  private static @Nullable String ofLiberty() {
    try {
      return (String)
          Class.forName("com.ibm.websphere.security.auth.WSSubject")
              .getMethod("getCallerPrincipal")
              .invoke(null);
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** Java 18 came with a new way, and Java 24 took the old one away. */
  @SuppressWarnings("removal")
  private static @Nullable Subject subject() {
    try {
      return (Subject) Subject.class.getMethod("current").invoke(null);
    } catch (NoSuchMethodException e) {
      return Subject.getSubject(AccessController.getContext());
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}
