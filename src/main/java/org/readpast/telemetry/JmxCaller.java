package org.readpast.telemetry;

import java.lang.reflect.InvocationTargetException;
import java.security.AccessController;
import java.security.Principal;
import java.util.Set;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/** Finds the user that is signed in to the JMX connector for which this thread works. */
final class JmxCaller {
  /**
   * Names a caller that no connector has authenticated, and that has the rights of the server
   * itself.
   */
  private static final String NOBODY = "jmx";

  // Names that Open Liberty uses for an unauthenticated caller.
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

  /**
   * Returns the current {@code Subject}. Java 18 introduced a new method to read the current
   * subject, and the old method no longer works since Java 24.
   */
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
