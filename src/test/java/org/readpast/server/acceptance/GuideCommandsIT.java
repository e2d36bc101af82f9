package org.readpast.server.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.readpast.support.BuildDirectories;
import org.readpast.support.CodeBlock;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.LibertyServer;
import org.readpast.support.MavenCommand;
import org.readpast.support.OpenIdProvider;
import org.readpast.support.Ports;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Runs the commands of the guides as the pages show them: only addresses and passwords are
 * replaced. The tests build on each other, because a reader also follows the guides in one
 * database.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GuideCommandsIT {
  private static final String PASSWORD = "for-a-test";
  private static final String SECRET = "client & secret";
  private static final Path TOOLS = BuildDirectories.run("guide-commands-tools");
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final String CHANGES =
      "select id || ' ' || md5sum from readpast_databasechangelog order by id";
  private static final int JMX_PORT = Ports.free();
  private static final ServerSpec SPEC =
      ServerSpec.named("guide-commands", DATABASE)
          .withApplication("readpast", BuildDirectories.war())
          .withApplication("archive", Path.of("target/examples/archive/target/archive.war"))
          .withAdmin(PASSWORD)
          .withProperty("readpast.schema.auto", "validate")
          .withProperty("readpast.sql.datasources", "jdbc/readpast");
  private static final OpenIdProvider PROVIDER =
      OpenIdProvider.launch(URI.create("http://localhost:" + SPEC.httpPort() + "/readpast/"));
  private static final ServerProcess SERVER =
      ServerProcess.of(
          SPEC.withProperty("readpast.oidc.issuer", PROVIDER.issuer())
              .withProperty("readpast.oidc.client-id", "readpast")
              .withEnvironment("READPAST_OIDC_CLIENT_SECRET", SECRET)
              .withProperty("readpast.oidc.roles-claim", "groupIds")
              .withProperty("readpast.oidc.audience", "readpast-api")
              .withProperty("readpast.oidc.role.\"queue-admins\"", "readpast-admin"));

  @BeforeAll
  static void create_the_tables_as_described_and_start_the_server() {
    maven("docs/guide/server-setup.md", DATABASE);
    DATABASE.execute(
        """
        create table invoice (
          id bigint primary key, closed_at timestamptz not null, archived boolean not null default false)""");
    if (SERVER instanceof LibertyServer liberty) {
      liberty.configure(
          "monitoring",
          block("docs/guide/monitoring.md", "xml", "restConnector")
                  .replace("9443", Integer.toString(JMX_PORT))
              + "<variable name=\"keystore.password\" value=\"for-a-test\"/>"
              + "<variable name=\"operations.password\" value=\"for-a-test\"/>");
    }
    SERVER.start();
    PROVIDER.awaitReady();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
    PROVIDER.stop();
  }

  /** Runs the Maven command of a page on a database. */
  private static void maven(String page, Database database) {
    run(
        block(page, "sh", "mvn liquibase")
            .replace("jdbc:postgresql://localhost:5432/readpast", "'" + database.url() + "'")
            .replace("user=readpast", "user=" + database.user())
            .replace("<password>", database.password()),
        Map.of());
  }

  private static String block(String page, String language, String part) {
    List<String> blocks =
        CodeBlock.of(Path.of(page)).stream()
            .filter(block -> block.language().equals(language) && block.text().contains(part))
            .map(CodeBlock::text)
            .toList();
    assertThat(blocks).as("blocks of %s with '%s'", page, part).hasSize(1);
    return blocks.get(0);
  }

  /** Returns all commands of a page that send requests. */
  private static String requests(String page) {
    return CodeBlock.of(Path.of(page)).stream()
        .filter(block -> block.language().equals("sh") && block.text().contains("curl "))
        .map(CodeBlock::text)
        .collect(Collectors.joining("\n"));
  }

  /** Runs commands, of which each must succeed, and returns their output. */
  private static String run(String commands, Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(MavenCommand.environment(TOOLS));
    environment.putAll(variables);
    return Command.runOrFail(
        List.of(
            "bash",
            "-e",
            "-c",
            "curl() { command curl --silent --show-error --fail-with-body \"$@\"; echo; }\n"
                + commands),
        Path.of("."),
        environment);
  }

  /** Runs the requests of a page on the server. */
  private static String ask(String page) {
    String address = SERVER.uri("").toString();
    return run(
        requests(page)
            .replace("http://localhost:9080", address)
            .replace("<password>", PASSWORD)
            .replace("https://localhost:9443", "https://localhost:" + JMX_PORT)
            .replace("-u operations", "-u operations:for-a-test"),
        Map.of(
            "READPAST",
            address + "/readpast/api",
            "LOGIN",
            "admin:" + PASSWORD,
            "TOKEN",
            PROVIDER.accessToken("readpast", SECRET, "ada", "lovelace")));
  }

  @Test
  @Order(1)
  void first_steps_enqueue_jobs_and_configure_their_queue() {
    String output = ask("docs/guide/first-steps.md");

    assertThat(output).contains("\"type\":\"readpast.ping\"").contains("\"globalConcurrency\":5");
    assertThat(
            TestDatabase.value(
                DATABASE,
                """
                select concat_ws(' ', paused, concurrency, global_concurrency, reserved)
                from readpast_queue where name = 'mail'"""))
        .isEqualTo("f 2 5 2");
    assertThat(
            TestDatabase.count(
                DATABASE, "select count(*) from readpast_audit where action like 'queue.%'"))
        .isEqualTo(4);
  }

  @Test
  @Order(2)
  void schedule_runs_and_is_then_disabled() {
    assertThat(ask("docs/guide/schedule.md")).contains("0 6 * * MON-FRI");

    assertThat(
            TestDatabase.value(
                DATABASE,
                "select concat_ws(' ', switched, zone) from readpast_schedule where name = 'report'"))
        .isEqualTo("f Europe/Berlin");
  }

  @Test
  @Order(3)
  void rule_runs_on_a_table_of_the_application() {
    // The application of the guide, which is not deployed here, handles this type.
    DATABASE.execute(
        "insert into readpast_type (name, max_attempts) values ('invoice.archive', 5)");

    assertThat(ask("docs/guide/rules-and-sql.md")).contains("old-invoices");

    assertThat(
            TestDatabase.count(
                DATABASE, "select count(*) from readpast_audit where action like 'rule.%'"))
        .isEqualTo(2);
  }

  @Test
  @Order(4)
  void access_token_of_a_provider_is_accepted() {
    assertThat(ask("docs/guide/users-and-roles.md")).contains("\"name\":\"mail\"");
  }

  @Test
  @Order(5)
  void example_archives_its_files() {
    assertThat(ask("docs/examples.md")).contains("\"runId\":1").contains("exactlyOnce");
  }

  @Test
  @Order(6)
  @EnabledIfSystemProperty(named = "readpast.server", matches = "liberty")
  void management_beans_of_open_liberty_are_changed_by_requests() {
    assertThat(ask("docs/guide/monitoring.md")).contains("readpast:type=Queue");

    assertThat(
            TestDatabase.value(
                DATABASE,
                "select concat_ws(' ', paused, concurrency) from readpast_queue where name = 'mail'"))
        .isEqualTo("t 3");
  }

  @Test
  @Order(7)
  void migration_that_was_written_as_sql_creates_the_tables() throws IOException {
    Path script = Path.of("target/liquibase/migrate.sql");
    Database database = TestPostgres.shared().newDatabase();
    maven("docs/upgrading.md", database);
    assertThat(block("docs/upgrading.md", "sh", "psql"))
        .contains("lock_timeout=3s")
        .contains(script.toString());

    database.execute("set lock_timeout = '3s';\n" + Files.readString(script));

    assertThat(TestDatabase.column(database, CHANGES))
        .isEqualTo(TestDatabase.column(DATABASE, CHANGES));
  }
}
