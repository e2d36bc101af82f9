package org.readpast.dev;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.readpast.runtime.HashPassword;
import org.readpast.support.BuildDirectories;
import org.readpast.support.LibertyServer;
import org.readpast.support.Ports;
import org.readpast.support.ServerSpec;

/** Starts the database, then Open Liberty with the built WARs, and waits until it ends. */
public final class DevServer {
  private static final List<String> EXAMPLES = List.of("archive", "demo");

  private final DevSettings settings;
  private final LeftoverServer leftover;
  private final String password;

  private DevServer(DevSettings settings) {
    this.settings = settings;
    this.leftover = new LeftoverServer(settings.data());
    this.password = adminPassword();
  }

  public static void main(String[] arguments) throws InterruptedException {
    new DevServer(DevSettings.fromSystemProperties()).run();
  }

  private void run() throws InterruptedException {
    leftover.stop();
    if (Ports.isTaken(settings.httpPort())) {
      throw new DevException(
          "port %d (HTTP) is in use; choose another with -D%s=<port>"
              .formatted(settings.httpPort(), DevSettings.HTTP_PORT));
    }
    var database = DevDatabase.start(settings);
    var server = new LibertyServer(spec(database), true);
    var shutdown = new Thread(() -> stop(server, database), "readpast-shutdown");
    Runtime.getRuntime().addShutdownHook(shutdown);
    server.launch();
    leftover.remember(server.pid());
    announceWhenReady(server);
    ProcessHandle.of(server.pid()).ifPresent(process -> process.onExit().join());
    // The server has ended: either on its own, or because Ctrl-C also stops its process. The
    // shutdown hook performs the remaining steps.
    System.exit(0);
  }

  private ServerSpec spec(DevDatabase database) {
    var spec =
        ServerSpec.named("development", database.database())
            .withHttpPort(settings.httpPort())
            .withApplication("readpast", BuildDirectories.war())
            // The rules of the example "archive" search this database.
            .withProperty("readpast.sql.datasources", "jdbc/readpast")
            // Clears the developer's own password, which the server would inherit with the
            // environment.
            .withEnvironment("READPAST_ADMIN_PASSWORD", "")
            .withEnvironment(
                "READPAST_ADMIN_PASSWORD_HASH", HashPassword.of(password.toCharArray()));
    for (String example : EXAMPLES) {
      if (isDeployed(example)) {
        spec = spec.withApplication(example, war(example));
      }
    }
    return spec;
  }

  /**
   * Returns true if the example was built, which {@code -DskipExamples} prevents, and is to be
   * deployed.
   */
  private boolean isDeployed(String example) {
    return Files.exists(war(example)) && (settings.demo() || !example.equals("demo"));
  }

  private static Path war(String example) {
    return Path.of("target/examples", example, "target", example + ".war");
  }

  private String adminPassword() {
    return Optional.ofNullable(System.getenv("READPAST_ADMIN_PASSWORD"))
        .filter(password -> !password.isBlank())
        .orElseGet(() -> Secret.keptIn(settings.data().resolve("admin-password")));
  }

  private void announceWhenReady(LibertyServer server) {
    var thread = new Thread(() -> announce(server), "readpast-announce");
    thread.setDaemon(true);
    thread.start();
  }

  private void announce(LibertyServer server) {
    try {
      server.awaitReady();
    } catch (AssertionError e) {
      System.err.println("Readpast does not get ready; its log says why: " + server.log());
      System.err.println("A corrected WAR is deployed at once. Ctrl-C stops the server.");
      return;
    }
    System.out.printf(
        """

        ----------------------------------------------------------------
          console    %s
          docs       %s
        %s  REST API   %s
          try it     %s
          user       admin
          password   %s
          database   %s
          Ctrl-C stops it.
        ----------------------------------------------------------------

        """,
        server.uri("/readpast/"),
        server.uri("/readpast/docs/"),
        isDeployed("demo") ? "  demo       " + server.uri("/demo/") + "\n" : "",
        server.uri("/readpast/api"),
        server.uri("/openapi/ui"),
        password,
        server.spec().database().url());
  }

  /** Stops the server before the database, because draining workers still write to the database. */
  private void stop(LibertyServer server, DevDatabase database) {
    try {
      if (server.isAlive()) {
        server.stop();
      }
      leftover.forget();
    } finally {
      database.stop();
    }
  }
}
