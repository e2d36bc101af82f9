package org.readpast.runtime;

import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether Readpast supports a server. An unsupported server may deploy Readpast and seem
 * to work but lose the effects of jobs, or fail with an error that does not explain the cause.
 */
final class ServerSupport {
  private ServerSupport() {}

  /** Describes a required API by one of its classes and by the name of its Open Liberty feature. */
  private record Api(String name, String type, String feature) {}

  private static final List<Api> NEEDED =
      List.of(
          new Api("MicroProfile Config", "org.eclipse.microprofile.config.Config", "mpConfig-3.1"),
          new Api(
              "MicroProfile Fault Tolerance",
              "org.eclipse.microprofile.faulttolerance.Retry",
              "mpFaultTolerance-4.0"));

  /**
   * Returns why an application with Readpast must not start on this server and how to fix it, or
   * null if it may start.
   *
   * @param system the system properties, by which servers are distinguished
   * @param exists returns true if a class is visible to the application
   */
  static @Nullable String refusal(Properties system, Predicate<String> exists) {
    List<Api> missing = NEEDED.stream().filter(api -> !exists.test(api.type())).toList();
    String version = system.getProperty("glassfish.version", "");
    boolean liberty = system.containsKey("wlp.install.dir");
    if (liberty || version.contains("Payara")) {
      return missing.isEmpty()
          ? null
          : "Readpast needs "
              + names(missing, Api::name)
              + ", which this server lacks; add "
              + names(missing, Api::feature)
              + " to the features in server.xml, see"
              + " server-config/liberty/server.xml";
    }
    return "Readpast supports Open Liberty and Payara Server 6, but this server is "
        + name(system, version)
        + (missing.isEmpty()
            ? ", on which jobs may lose their effects"
            : ", which lacks " + names(missing, Api::name))
        + "; deploy the application on one of the two";
  }

  private static String names(List<Api> apis, Function<Api, String> name) {
    return apis.stream().map(name).collect(Collectors.joining(" and "));
  }

  private static String name(Properties system, String version) {
    if (!version.isEmpty()) {
      return version;
    }
    if (system.containsKey("jboss.home.dir")) {
      return "WildFly or JBoss EAP";
    }
    return system.containsKey("catalina.home") ? "Tomcat or TomEE" : "another server";
  }

  /** Returns true if a class is visible to this application. */
  static boolean exists(String name) {
    try {
      Class.forName(name, false, ServerSupport.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}
