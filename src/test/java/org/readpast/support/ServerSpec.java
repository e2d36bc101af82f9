package org.readpast.support;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one server process runs.
 *
 * @param name its directory below {@link BuildDirectories#run}; two servers need two names
 * @param applications WAR files by context root, such as {@code "readpast"}
 * @param properties MicroProfile Config properties, given as system properties
 * @param environment further environment variables, for what must not show in a process list
 * @param jvmOptions further options of its JVM; they win over those that all servers get
 * @param readyPath answers 200 when the server is ready
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

  /** A server without applications, on a free port. */
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
   * Returns this server with further options of its JVM, such as {@code -Xmx256m}. On Payara the
   * heap size of the domain stays in force: it comes later on the command line.
   */
  public ServerSpec withJvmOptions(String... options) {
    List<String> all = Stream.concat(jvmOptions.stream(), Stream.of(options)).toList();
    return new ServerSpec(
        name, httpPort, database, applications, properties, environment, all, readyPath);
  }

  /** With the user {@code admin}, who has this password. */
  public ServerSpec withAdmin(String password) {
    return withProperty("readpast.admin.password-hash", Passwords.hash(password));
  }

  /** Open Liberty has to be told; Payara has them at once. */
  public ServerSpec withRemoteEjbs() {
    return withEnvironment(LibertyServer.IIOP_PORT, Integer.toString(Ports.free()));
  }

  /** With the data sources for XA, of the queue and of another database. */
  public ServerSpec withXa(Database business) {
    return withEnvironment(ServerProcess.BUSINESS_URL, business.url())
        .withEnvironment("BUSINESS_DB_USER", business.user())
        .withEnvironment("BUSINESS_DB_PASSWORD", business.password());
  }

  /** With {@code jdbc/readpast-serializable}, a data source that leads to the queue's database. */
  public ServerSpec withSerializable() {
    return withEnvironment(ServerProcess.SERIALIZABLE, "true");
  }

  /**
   * Readpast alone, as {@code server-config} has it for production: by HTTPS on this port. It is to
   * be launched and waited for there.
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
