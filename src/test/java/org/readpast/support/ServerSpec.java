package org.readpast.support;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Describes what a server process runs.
 *
 * @param name the name of the server's directory below {@link BuildDirectories#run}; two servers
 *     must have different names
 * @param applications WAR files by context root, such as {@code "readpast"}
 * @param properties MicroProfile Config properties, passed as system properties
 * @param environment further environment variables, for values that must not appear in a process
 *     list
 * @param jvmOptions further options of the JVM, which override those that all servers get
 * @param readyPath the path that responds with 200 when the server is ready
 */
public record ServerSpec(
    String name,
    int httpPort,
    Database database,
    Map<String, Path> applications,
    Map<String, String> properties,
    Map<String, String> environment,
    List<String> jvmOptions,
    String readyPath) {

  /** Returns a server without applications, on a free port. */
  public static ServerSpec named(String name, Database database) {
    return new ServerSpec(
        name, Ports.free(), database, Map.of(), Map.of(), Map.of(), List.of(), "/health/ready");
  }

  public ServerSpec withHttpPort(int port) {
    return new ServerSpec(
        name, port, database, applications, properties, environment, jvmOptions, readyPath);
  }

  public ServerSpec withApplication(String contextRoot, Path war) {
    return new ServerSpec(
        name,
        httpPort,
        database,
        with(applications, contextRoot, war),
        properties,
        environment,
        jvmOptions,
        readyPath);
  }

  public ServerSpec withProperty(String key, String value) {
    return new ServerSpec(
        name,
        httpPort,
        database,
        applications,
        with(properties, key, value),
        environment,
        jvmOptions,
        readyPath);
  }

  public ServerSpec withEnvironment(String key, String value) {
    return new ServerSpec(
        name,
        httpPort,
        database,
        applications,
        properties,
        with(environment, key, value),
        jvmOptions,
        readyPath);
  }

  /**
   * Returns a copy with further options of the JVM, such as {@code -Xmx256m}. On Payara, the
   * options do not override the heap size of the domain, which comes later on the command line.
   */
  public ServerSpec withJvmOptions(String... options) {
    List<String> all = Stream.concat(jvmOptions.stream(), Stream.of(options)).toList();
    return new ServerSpec(
        name, httpPort, database, applications, properties, environment, all, readyPath);
  }

  /** Returns a copy with the user {@code admin} and this password. */
  public ServerSpec withAdmin(String password) {
    return withProperty("readpast.admin.password-hash", Passwords.hash(password));
  }

  /**
   * Returns a copy with remote EJBs. Only Open Liberty needs this setting; Payara always provides
   * remote EJBs.
   */
  public ServerSpec withRemoteEjbs() {
    return withEnvironment(LibertyServer.IIOP_PORT, Integer.toString(Ports.free()));
  }

  /** Returns a copy with XA data sources for the queue and for another database. */
  public ServerSpec withXa(Database business) {
    return withEnvironment(ServerProcess.BUSINESS_URL, business.url())
        .withEnvironment("BUSINESS_DB_USER", business.user())
        .withEnvironment("BUSINESS_DB_PASSWORD", business.password());
  }

  /**
   * Returns a copy with {@code jdbc/readpast-serializable}, another data source for the database of
   * the queue.
   */
  public ServerSpec withSerializable() {
    return withEnvironment(ServerProcess.SERIALIZABLE, "true");
  }

  /**
   * Returns a copy with only Readpast, configured as in production ({@code server-config}), with
   * HTTPS on this port. The test must launch the server, and wait for it on that port.
   */
  public ServerSpec forProduction(Certificate certificate, int httpsPort) {
    return withEnvironment(ServerProcess.KEY_STORE_FILE, certificate.keyStore().toString())
        .withEnvironment(ServerProcess.HTTPS_PORT, Integer.toString(httpsPort))
        .withEnvironment("READPAST_HTTPS_HOST", "localhost");
  }

  boolean production() {
    return environment.containsKey(ServerProcess.KEY_STORE_FILE);
  }

  public ServerSpec withReadyPath(String path) {
    return new ServerSpec(
        name, httpPort, database, applications, properties, environment, jvmOptions, path);
  }

  private static <V> Map<String, V> with(Map<String, V> map, String key, V value) {
    var copy = new LinkedHashMap<>(map);
    copy.put(key, value);
    return copy;
  }
}
