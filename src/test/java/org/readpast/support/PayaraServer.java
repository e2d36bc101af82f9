package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs Payara Server with its own domain directory. */
public final class PayaraServer extends ServerProcess {
  private static final String DOMAIN = PayaraDomain.NAME;

  private final PayaraDomain domain;

  public PayaraServer(ServerSpec spec) {
    super(spec);
    this.domain = new PayaraDomain(directory(), spec);
  }

  @Override
  public void launch() {
    boolean fresh = domain.createIfAbsent();
    asadmin("start-domain", "--domaindir", directory().toString(), DOMAIN);
    if (fresh) {
      setUp();
    }
  }

  private void setUp() {
    List<String> commands = new ArrayList<>(commands("readpast.asadmin"));
    if (spec().environment().containsKey(BUSINESS_URL)) {
      commands.addAll(commands("xa.asadmin"));
    }
    if (spec().environment().containsKey(SERIALIZABLE)) {
      commands.addAll(serializable(commands));
    }
    if (spec().environment().containsKey(SYSTEM_URL)) {
      commands.addAll(commands("system-url.asadmin"));
    }
    if (spec().production()) {
      commands.addAll(commands("production.asadmin"));
      script(BuildDirectories.driver(), commands);
      asadmin("restart-domain", "--domaindir", directory().toString(), DOMAIN);
      script(BuildDirectories.war().getParent(), commands("deploy.asadmin"));
      commands.clear();
    }
    spec().applications().keySet().forEach(application -> commands.add(deployment(application)));
    // The script is run in the directory of the driver, because it names the driver without a
    // directory.
    script(BuildDirectories.driver(), commands);
  }

  /**
   * Returns the commands that define a data source like the queue's own, except for the isolation
   * level.
   */
  private static List<String> serializable(List<String> commands) {
    return commands.stream()
        .filter(command -> command.startsWith("create-jdbc") && command.endsWith("readpast"))
        .map(command -> command.replace(" readpast", " readpast-serializable"))
        .map(command -> command.replace("jdbc/readpast", "jdbc/readpast-serializable"))
        .map(command -> command.replace("read-committed", "serializable"))
        .toList();
  }

  @Override
  public long pid() {
    try {
      return Long.parseLong(Files.readString(domain.config().resolve("pid")).trim());
    } catch (IOException e) {
      return -1;
    }
  }

  @Override
  public Path log() {
    return domain.directory().resolve("logs/server.log");
  }

  @Override
  public void stop() {
    var running = handle();
    asadmin("stop-domain", "--domaindir", directory().toString(), DOMAIN);
    awaitEnd(running);
  }

  @Override
  public void undeploy(String contextRoot) {
    admin(directory(), "undeploy", contextRoot);
  }

  @Override
  public void deploy(String contextRoot) {
    script(directory(), List.of(deployment(contextRoot)));
  }

  private String deployment(String contextRoot) {
    return "deploy --contextroot %1$s --name %1$s \"%2$s\""
        .formatted(contextRoot, spec().applications().get(contextRoot).toAbsolutePath());
  }

  /** Adds a user to the realm that applications use by default. */
  public void createUser(String name, String password, String group) {
    try {
      Path passwords = directory().resolve("passwords");
      Files.writeString(passwords, "AS_ADMIN_USERPASSWORD=" + password + "\n");
      run(
          directory(),
          List.of(
              "--port",
              Integer.toString(domain.adminPort()),
              "--passwordfile",
              passwords.toString(),
              "create-file-user",
              "--groups",
              group,
              name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int jmxPort() {
    return domain.jmxPort();
  }

  public int adminPort() {
    return domain.adminPort();
  }

  /** Returns the lines of a script for administrators. */
  private static List<String> commands(String name) {
    try {
      return Files.readAllLines(BuildDirectories.serverConfig().resolve("payara").resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs all commands in one asadmin process, because each process takes seconds to start. */
  private void script(Path workingDirectory, List<String> commands) {
    try {
      Path file = Files.write(directory().resolve("script.asadmin").toAbsolutePath(), commands);
      String output = admin(workingDirectory, "multimode", "--file", file.toString());
      // The process continues after a failed command, and its exit code is 0.
      if (output.contains(" failed.")) {
        throw new IllegalStateException(commands + ": " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String admin(Path workingDirectory, String command, String... arguments) {
    var all = new ArrayList<>(List.of("--port", Integer.toString(domain.adminPort()), command));
    all.addAll(List.of(arguments));
    return run(workingDirectory, all);
  }

  private void asadmin(String... arguments) {
    run(directory(), List.of(arguments));
  }

  private String run(Path workingDirectory, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The process is so short that other optimizations are not worthwhile.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.add("-jar");
    command.add(
        BuildDirectories.servers()
            .resolve("payara6/glassfish/lib/client/appserver-cli.jar")
            .toString());
    command.add("--interactive=false");
    command.addAll(arguments);
    var output = Command.runOrFail(command, workingDirectory, environment());
    try {
      Files.writeString(
          directory().resolve("asadmin.log"),
          command + "\n" + output + "\n",
          java.nio.file.StandardOpenOption.CREATE,
          java.nio.file.StandardOpenOption.APPEND);
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
