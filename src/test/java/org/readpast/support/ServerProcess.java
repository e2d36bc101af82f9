package org.readpast.support;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Runs an application server in a separate process, which a test can kill, freeze or stop. */
public abstract class ServerProcess {
  /** Names the variable that adds the data sources for XA to a server. */
  static final String BUSINESS_URL = "BUSINESS_DB_URL";

  /**
   * Names the variable that adds the data source {@code jdbc/readpast-serializable} to a server.
   */
  static final String SERIALIZABLE = "READPAST_TEST_SERIALIZABLE";

  /** Names the variable with a key store, which makes a server run as in production. */
  static final String KEY_STORE_FILE = "READPAST_KEYSTORE_FILE";

  /** Names the variable with a separate database address for heartbeats and LISTEN. */
  public static final String SYSTEM_URL = "READPAST_DB_SYSTEM_URL";

  static final String HTTPS_PORT = "READPAST_HTTPS_PORT";

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration END_LIMIT = Duration.ofSeconds(30);
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private final ServerSpec spec;

  protected ServerProcess(ServerSpec spec) {
    this.spec = spec;
  }

  /**
   * Creates a server of the kind that this build tests: {@code -Dreadpast.server=liberty|payara}.
   */
  public static ServerProcess of(ServerSpec spec) {
    return of(flavour(), spec);
  }

  /** Creates a server of the kind that this build does not test. */
  public static ServerProcess other(ServerSpec spec) {
    return of(flavour().equals("liberty") ? "payara" : "liberty", spec);
  }

  private static String flavour() {
    return System.getProperty("readpast.server", "liberty");
  }

  private static ServerProcess of(String server, ServerSpec spec) {
    ServerProcess process =
        switch (server) {
          case "liberty" -> new LibertyServer(spec);
          case "payara" -> new PayaraServer(spec);
          default ->
              throw new IllegalArgumentException(
                  "readpast.server '"
                      + server
                      + "' does not exist; known servers: liberty, payara");
        };
    // The shutdown hook stops all servers if a test is interrupted.
    Runtime.getRuntime().addShutdownHook(new Thread(process::killIfAlive));
    return process;
  }

  /**
   * Returns the JVM options that all servers get ({@code -Dreadpast.server.jvm="..."}), followed by
   * the server's own options.
   */
  static List<String> jvmOptions(ServerSpec spec) {
    List<String> options = new ArrayList<>();
    String all = System.getProperty("readpast.server.jvm", "");
    if (!all.isBlank()) {
      options.addAll(List.of(all.trim().split(" +")));
    }
    options.addAll(spec.jvmOptions());
    return options;
  }

  /**
   * Starts the server without waiting until it is ready. This method can also be called after
   * {@link #kill} or {@link #stop}.
   */
  public abstract void launch();

  /** Returns the process id of the server's JVM. */
  public abstract long pid();

  /** Returns the server's own log. */
  public abstract Path log();

  /**
   * Waits until the log contains the given text, because servers write to their logs with a delay.
   * Returns the whole log.
   */
  public final String awaitLogged(String said) {
    AtomicReference<String> all = new AtomicReference<>("");
    Await.until(
        Duration.ofSeconds(10),
        "'" + said + "' is in the log " + log(),
        () -> {
          all.set(Files.readString(log()));
          return all.get().contains(said);
        });
    return all.get();
  }

  /** Undeploys an application from the running server. */
  public abstract void undeploy(String contextRoot);

  /** Deploys an undeployed application to the running server again. */
  public abstract void deploy(String contextRoot);

  /** Stops the server as an administrator would, and waits until it has ended. */
  public abstract void stop();

  /** Calls {@link #launch} and {@link #awaitReady}. */
  public final void start() {
    launch();
    awaitReady();
  }

  public final void awaitReady() {
    Await.until(
        START_LIMIT,
        spec.name() + " is ready (log: " + log() + ")",
        () -> {
          if (!isAlive()) {
            throw new IOException("no process");
          }
          return isReady();
        });
  }

  public final boolean isReady() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(uri(spec.readyPath())).timeout(Duration.ofSeconds(5)).build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
  }

  /** Sends SIGKILL to the JVM, and to no other process. */
  public final void kill() {
    var process = handle();
    process.destroyForcibly();
    awaitEnd(process);
  }

  /** Sends SIGSTOP: the node keeps its connections and locks, but sends no heartbeats. */
  public final void freeze() {
    signal("STOP");
  }

  /** Sends SIGCONT after {@link #freeze}. */
  public final void thaw() {
    signal("CONT");
  }

  public final boolean isAlive() {
    return pid() > 0 && ProcessHandle.of(pid()).map(ProcessHandle::isAlive).orElse(false);
  }

  public final URI uri(String path) {
    return URI.create("http://localhost:" + spec.httpPort() + path);
  }

  public final ServerSpec spec() {
    return spec;
  }

  protected final Path directory() {
    return BuildDirectories.run(spec.name());
  }

  protected final void awaitEnd(ProcessHandle process) {
    Await.until(END_LIMIT, spec.name() + " has ended", () -> !process.isAlive());
  }

  /** Returns the processor time that all its threads have used. */
  public final Duration processorTime() {
    return handle().info().totalCpuDuration().orElseThrow();
  }

  protected final ProcessHandle handle() {
    return ProcessHandle.of(pid())
        .orElseThrow(() -> new IllegalStateException(spec.name() + " is not running"));
  }

  /** Returns the variables that are read by the configuration of both servers. */
  protected final Map<String, String> environment() {
    var environment = new HashMap<>(spec.environment());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("READPAST_HTTP_PORT", Integer.toString(spec.httpPort()));
    environment.put("READPAST_DB_URL", spec.database().url());
    environment.put("READPAST_DB_USER", spec.database().user());
    environment.put("READPAST_DB_PASSWORD", spec.database().password());
    environment.put("READPAST_DRIVER_DIR", BuildDirectories.driver().toString());
    return environment;
  }

  private void signal(String name) {
    Command.signal(name, Long.toString(handle().pid()));
  }

  private void killIfAlive() {
    if (isAlive()) {
      handle().destroyForcibly();
    }
  }
}
