package org.readpast.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Runs Open Liberty as a child process, with its own user directory. */
public final class LibertyServer extends ServerProcess {
  /** Names the variable with the port at which a server accepts calls of remote EJBs. */
  static final String IIOP_PORT = "READPAST_IIOP_PORT";

  private final Path home = BuildDirectories.servers().resolve("wlp");
  private final boolean console;
  private volatile Process process;

  public LibertyServer(ServerSpec spec) {
    this(spec, false);
  }

  /**
   * Creates the server. If {@code console} is true, the server's messages are also written to the
   * output of this process.
   */
  public LibertyServer(ServerSpec spec, boolean console) {
    super(spec);
    this.console = console;
  }

  @Override
  public void launch() {
    try {
      configure();
      var builder = new ProcessBuilder(command()).directory(serverDirectory().toFile());
      builder.environment().putAll(environment());
      builder.environment().put("WLP_USER_DIR", userDirectory().toString());
      builder.redirectErrorStream(true);
      builder.redirectOutput(
          console ? Redirect.INHERIT : Redirect.to(directory().resolve("console.log").toFile()));
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long pid() {
    return process == null ? -1 : process.pid();
  }

  @Override
  public Path log() {
    return serverDirectory().resolve("logs/messages.log");
  }

  @Override
  public void stop() {
    var running = handle();
    running.destroy();
    awaitEnd(running);
    try {
      keep();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void undeploy(String contextRoot) {
    try {
      // The server watches its configuration files for changes.
      writeApplications(contextRoot);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void deploy(String contextRoot) {
    undeploy("");
  }

  /**
   * Adds text to the content of the element {@code server} in the configuration, before the start.
   */
  public void configure(String name, String xml) {
    try {
      Files.createDirectories(overrides());
      Files.writeString(overrides().resolve(name + ".xml"), "<server>" + xml + "</server>");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path overrides() {
    return serverDirectory().resolve("configDropins/overrides");
  }

  public Path userDirectory() {
    return directory().resolve("usr");
  }

  private Path serverDirectory() {
    return userDirectory().resolve("servers").resolve(spec().name());
  }

  private Path workarea() {
    return serverDirectory().resolve("workarea");
  }

  private Path keys() {
    return serverDirectory().resolve("resources/security/ltpa.keys");
  }

  /** Returns the directory with what one server has computed and others can use. */
  private Path kept() throws IOException {
    long version = Files.getLastModifiedTime(home.resolve("bin/tools/ws-server.jar")).toMillis();
    return BuildDirectories.run("liberty-kept-" + version);
  }

  /**
   * Keeps the work area and the keys of tokens for other servers. With a work area, the first start
   * of another server takes a quarter less time, and generating the keys takes a second or two.
   */
  private void keep() throws IOException {
    Path kept = kept();
    if (Files.exists(kept) || !Files.exists(keys())) {
      return;
    }
    Path copy = Files.createTempDirectory(kept.getParent(), "kept-").resolve("copy");
    Path area = copy.resolve("workarea");
    DirectoryTree.copy(workarea(), area);
    Files.copy(keys(), copy.resolve("ltpa.keys"));
    try (var bundles = Files.newDirectoryStream(area.resolve("org.eclipse.osgi"), "[0-9]*")) {
      for (Path bundle : bundles) {
        // Data about applications is not kept, because each server must analyze its own.
        DirectoryTree.delete(bundle.resolve("data/anno"));
        DirectoryTree.delete(bundle.resolve("data/cache"));
      }
    }
    try {
      Files.move(copy, kept);
    } catch (FileAlreadyExistsException e) {
      // Another server has ended at the same time.
    }
    DirectoryTree.delete(copy.getParent());
  }

  /**
   * Returns the command that starts the JVM directly, because the server script would run a shell
   * between this process and the server.
   */
  private List<String> command() {
    var tools = home.resolve("bin/tools");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + tools.resolve("ws-javaagent.jar"));
    command.add("@" + home.resolve("lib/platform/java/java9.options"));
    command.add("-Xmx512m");
    command.addAll(jvmOptions(spec()));
    command.add("-Djava.awt.headless=true");
    spec().properties().forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(List.of("-jar", tools.resolve("ws-server.jar").toString(), spec().name()));
    return command;
  }

  private void configure() throws IOException {
    Files.createDirectories(overrides());
    if (Files.exists(kept()) && !Files.exists(workarea())) {
      DirectoryTree.copy(kept().resolve("workarea"), workarea());
      Files.createDirectories(keys().getParent());
      Files.copy(kept().resolve("ltpa.keys"), keys());
    }
    Files.copy(
        BuildDirectories.serverConfig().resolve("liberty/server.xml"),
        serverDirectory().resolve("server.xml"),
        StandardCopyOption.REPLACE_EXISTING);
    if (spec().production()) {
      configureForProduction();
      return;
    }
    if (spec().environment().containsKey(IIOP_PORT)) {
      override("remote-ejb.xml");
    }
    if (spec().environment().containsKey(BUSINESS_URL)) {
      override("xa.xml");
    }
    if (spec().environment().containsKey(SERIALIZABLE)) {
      configure(
          "serializable",
          """
          <dataSource id="readpast-serializable" jndiName="jdbc/readpast-serializable"
                      type="javax.sql.DataSource" isolationLevel="TRANSACTION_SERIALIZABLE">
            <jdbcDriver libraryRef="postgresql"/>
            <connectionManager minPoolSize="0"/>
            <properties.postgresql URL="${readpast.db.url}" user="${readpast.db.user}"
                                   password="${readpast.db.password}"/>
          </dataSource>
          """);
    }
    writeApplications("");
  }

  private void override(String file) throws IOException {
    Files.copy(
        BuildDirectories.serverConfig().resolve("liberty").resolve(file),
        overrides().resolve(file),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void configureForProduction() throws IOException {
    Path apps = Files.createDirectories(serverDirectory().resolve("apps"));
    Files.copy(
        BuildDirectories.war(), apps.resolve("readpast.war"), StandardCopyOption.REPLACE_EXISTING);
    override("production.xml");
    // The secret is in a file, in the default directory for variables.
    Path variables = Files.createDirectories(serverDirectory().resolve("variables"));
    Files.writeString(variables.resolve("readpast.keystore.password"), Certificate.PASSWORD);
  }

  private void writeApplications(String without) throws IOException {
    var applications = new StringBuilder("<server>\n");
    if (spec().applications().isEmpty()) {
      // Arquillian deploys through the local JMX connection. Other servers do not enable the
      // connector, because Java opens a port on every interface for it, although the port accepts
      // local callers only.
      applications.append(
          "  <featureManager><feature>localConnector-1.0</feature></featureManager>\n");
    }
    if (spec().properties().containsKey("otel.sdk.disabled")) {
      applications.append(
          "  <featureManager><feature>mpTelemetry-2.0</feature></featureManager>\n");
    }
    spec()
        .applications()
        .forEach(
            (root, war) -> {
              if (!root.equals(without)) {
                applications.append(
                    """
                      <webApplication location="%s" contextRoot="/%s" name="%s">
                        <classloader apiTypeVisibility="+third-party"/>
                      </webApplication>
                    """
                        .formatted(war.toAbsolutePath(), root, root));
              }
            });
    Files.writeString(
        overrides().resolve("applications.xml"), applications.append("</server>\n").toString());
  }
}
