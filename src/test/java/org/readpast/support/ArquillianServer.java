package org.readpast.support;

import java.nio.file.Path;
import org.jboss.arquillian.core.spi.LoadableExtension;

/**
 * Starts a server before Arquillian connects to it. The server is started by the same code as in
 * the fault tests, with its own database and free ports.
 */
public final class ArquillianServer implements LoadableExtension {
  // Arquillian searches all JVMs of the machine for Liberty by this name, including those of other
  // test forks.
  private static final String NAME = "arquillian-" + ProcessHandle.current().pid();

  @Override
  public void register(ExtensionBuilder builder) {
    // The name is published here and not in an observer, because arquillian.xml is read as soon as
    // all extensions are registered.
    Running.INSTANCE.publish();
  }

  private static final class Running {
    static final Running INSTANCE = new Running();

    private final ServerProcess server =
        ServerProcess.of(
            ServerSpec.named(NAME, TestPostgres.shared().newDatabase())
                .withAdmin("arquillian")
                .withXa(TestPostgres.shared().newDatabase())
                .withSerializable()
                .withReadyPath(pathOfEmptyServer()));

    private Running() {
      server.start();
    }

    /**
     * Returns the path to poll for readiness. Without an application, Payara has no health page,
     * and Liberty has no start page.
     */
    private static String pathOfEmptyServer() {
      return System.getProperty("readpast.server", "liberty").equals("payara")
          ? "/"
          : "/health/live";
    }

    void publish() {
      set("log", server.log());
      set("http-port", Integer.toString(server.spec().httpPort()));
      if (server instanceof LibertyServer liberty) {
        set("home", BuildDirectories.servers().resolve("wlp"));
        set("directory", liberty.userDirectory());
        set("name", NAME);
      } else if (server instanceof PayaraServer payara) {
        set("home", BuildDirectories.servers().resolve("payara6"));
        set("admin-port", Integer.toString(payara.adminPort()));
      }
    }

    private static void set(String name, Path value) {
      set(name, value.toString());
    }

    private static void set(String name, String value) {
      System.setProperty("readpast.arquillian." + name, value);
    }
  }
}
