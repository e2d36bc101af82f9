package org.readpast.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.BrowserWindow;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;
import org.readpast.support.WebBrowser;

/**
 * Uses one server for all tests of a class, and a browser window for each test; no errors may occur
 * in the window.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ConsoleTest implements Console {
  // The hash of the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";

  private final Database database = TestPostgres.shared().newDatabase();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named(getClass().getSimpleName().toLowerCase(Locale.ROOT), database)
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret")
              .withProperty("readpast.sql.datasources", "jdbc/readpast")
              .withProperty("readpast.payload.masked", "secret,card.number")
              .withProperty("readpast.users", "viewer,operator")
              .withProperty("readpast.user.\"viewer\".password-hash", HASH)
              .withProperty("readpast.user.\"viewer\".roles", "readpast-viewer")
              .withProperty("readpast.user.\"operator\".password-hash", HASH)
              .withProperty("readpast.user.\"operator\".roles", "readpast-operator"));
  private final RestApi api = new RestApi(server, "admin:secret");
  private BrowserWindow window;

  @BeforeAll
  void start() {
    server.start();
  }

  /** Creates objects for the pages; the first job has failed. */
  void fill() {
    enqueue("mail", "{\"type\":\"readpast.ping\",\"payload\":{\"fail\":1},\"maxAttempts\":1}");
    enqueue(
        "mail",
        """
        [{"type":"readpast.ping","payload":{},"delay":"PT1H","ref":"first","batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{"fail":1},"maxAttempts":1,"batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{},"after":["first"],"batch":"year-end","wave":100},
         {"type":"readpast.ping","payload":{},"batch":"year-end","wave":200,"properties":{"tenant":"acme"}}]""");
    assertThat(
            api()
                .send(
                    "PUT",
                    "/schedules/report",
                    """
                    {"cron":"0 2 * * MON-FRI","zone":"Europe/Berlin","type":"readpast.ping","queue":"mail","payload":{}}""")
                .status())
        .isLessThan(300);
    assertThat(api().post("/schedules/report/runs", "").status()).isLessThan(300);
    assertThat(
            api()
                .send(
                    "PUT",
                    "/rules/archive-documents-of-closed-accounts",
                    """
                    {"type":"readpast.ping","queue":"mail","search":"select id as \\"documentId\\", path, title from readpast_batch b(id, path, title) where path is not null and title is not null"}""")
                .status())
        .isLessThan(300);
  }

  @AfterAll
  void stop() {
    server.kill();
  }

  @BeforeEach
  void openWindow() {
    window = WebBrowser.window(server.uri("/readpast/"));
  }

  @AfterEach
  void browser_reports_no_error() {
    try (BrowserWindow closed = window) {
      assertThat(closed.faults()).isEmpty();
    }
  }

  @Override
  public BrowserWindow window() {
    return window;
  }

  @Override
  public RestApi api() {
    return api;
  }

  @Override
  public Database database() {
    return database;
  }
}
