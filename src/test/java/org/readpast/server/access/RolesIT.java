package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.server.access.Routes.Role;
import org.readpast.server.access.Routes.Route;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.RawHttp;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Requests every route of a running server with every role. */
class RolesIT implements RolesByQueue {
  // All users have the password "secret".
  private static final String HASH =
      "PBKDF2WithHmacSHA256:2048:c2FsdHNhbHRzYWx0c2FsdA==:Qo5S0bM1EAJCustknDKonlnWdOjdPw8Wv5BJPPdw6Tk=";
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("roles", DATABASE)
              .withApplication("readpast", BuildDirectories.war())
              .withProperty("readpast.admin.password", "secret")
              .withProperty("readpast.sql.datasources", "jdbc/readpast")
              .withProperty("readpast.users", "viewer,operator,hr,hr-lead,hr-chief,both")
              .withProperty("readpast.queue.\"payroll\".roles.viewer", "payroll-viewer")
              .withProperty("readpast.queue.\"payroll\".roles.operator", "payroll-operator")
              .withProperty("readpast.queue.\"payroll\".roles.admin", "payroll-admin")
              .withProperty("readpast.queue.\"secrets\".roles.viewer", "agent")
              .withProperty("readpast.user.\"hr\".password-hash", HASH)
              .withProperty("readpast.user.\"hr\".roles", "payroll-viewer")
              .withProperty("readpast.user.\"hr-lead\".password-hash", HASH)
              .withProperty("readpast.user.\"hr-lead\".roles", "payroll-operator")
              .withProperty("readpast.user.\"hr-chief\".password-hash", HASH)
              .withProperty("readpast.user.\"hr-chief\".roles", "payroll-admin")
              .withProperty("readpast.user.\"both\".password-hash", HASH)
              .withProperty("readpast.user.\"both\".roles", "readpast-viewer,payroll-operator")
              .withProperty("readpast.user.\"viewer\".password-hash", HASH)
              .withProperty("readpast.user.\"viewer\".roles", "readpast-viewer")
              .withProperty("readpast.user.\"operator\".password-hash", HASH)
              .withProperty("readpast.user.\"operator\".roles", "readpast-operator"));

  /** Contains the roles by login; an empty login is unauthenticated. */
  private static final Map<String, Role> CALLERS = new LinkedHashMap<>();

  static {
    CALLERS.put("", Role.ANYBODY);
    CALLERS.put("stranger:wrong", Role.ANYBODY);
    CALLERS.put("viewer:secret", Role.VIEWER);
    CALLERS.put("operator:secret", Role.OPERATOR);
    CALLERS.put("admin:secret", Role.ADMIN);
  }

  /**
   * Contains the roles in a single queue by login; the user "both" is also a viewer of all other
   * queues.
   */
  private static final Map<String, Role> CALLERS_OF_ONE_QUEUE =
      Map.of(
          "hr:secret", Role.VIEWER,
          "hr-lead:secret", Role.OPERATOR,
          "hr-chief:secret", Role.ADMIN,
          "both:secret", Role.OPERATOR);

  /** Selects the state that a refused request would have changed. */
  private static final String CHANGED =
      """
      select concat_ws(' ', (select count(*) from readpast_audit where action <> 'sign-in.fail'), (select count(*) from readpast_job),
        (select count(*) from readpast_job_history), (select count(*) from readpast_batch),
        (select count(*) from readpast_schedule), (select count(*) from readpast_rule))""";

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  static Stream<Route> routes() {
    return Routes.api().stream();
  }

  @Override
  public RawHttp caller(String login) {
    return as(login);
  }

  @Override
  public Database database() {
    return DATABASE;
  }

  @Override
  public URI address() {
    return SERVER.uri("/readpast/");
  }

  private static RawHttp as(String login) {
    RawHttp http = new RawHttp(SERVER).with("Content-Type: application/json");
    return login.isEmpty() ? http : http.as(login);
  }

  @ParameterizedTest
  @MethodSource("routes")
  void route_is_open_only_to_the_roles_of_its_row(Route route) {
    String before = TestDatabase.value(DATABASE, CHANGED);
    CALLERS.forEach((login, role) -> ask(route, login, expected(route, login, role), false));
    CALLERS_OF_ONE_QUEUE.forEach(
        (login, role) -> ask(route, login, expectedOfOneQueue(route, login, role), false));
    assertThat(TestDatabase.value(DATABASE, CHANGED)).isEqualTo(before);
    CALLERS.forEach((login, role) -> ask(route, login, expected(route, login, role), true));
    CALLERS_OF_ONE_QUEUE.forEach(
        (login, role) -> ask(route, login, expectedOfOneQueue(route, login, role), true));
  }

  private static int expectedOfOneQueue(Route route, String login, Role role) {
    Role general = login.startsWith("both") ? Role.VIEWER : Role.ANYBODY;
    boolean admitted =
        route.least() == Role.ANYBODY
            || general.compareTo(route.least()) >= 0
            || route.byQueue() && role.compareTo(route.least()) >= 0;
    // The example names another queue, and the response must not reveal whether that queue exists.
    return admitted && !route.path().endsWith("/groups/{group}/skip") ? route.status() : 403;
  }

  private static void ask(Route route, String login, int expected, boolean allowed) {
    if (allowed == (expected == route.status())) {
      var answer = as(login).send(route.method(), "/readpast" + route.example(), route.body());
      // A wrong password for each route would exceed the limit for wrong passwords.
      int guessed = login.endsWith(":wrong") ? 429 : expected;
      assertThat(answer.status())
          .as("%s as '%s': %s", route, login, answer.body())
          .isIn(expected, guessed);
      if (expected / 100 == 4) {
        assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
      }
    }
  }

  private static int expected(Route route, String login, Role role) {
    if (login.endsWith(":wrong")) {
      // For signing in, the credentials are in the body.
      return route.path().equals("/api/session") ? route.status() : 401;
    }
    if (role.compareTo(route.least()) >= 0) {
      return route.status();
    }
    return role == Role.ANYBODY ? 401 : 403;
  }

  /**
   * Compares the table with the deployed WAR, which might have more routes; RoutesTest compares the
   * table with the sources.
   */
  @Test
  void server_describes_no_route_without_a_row() {
    Set<String> described = new TreeSet<>();
    String path = "";
    for (String line : as("").get("/openapi").body().split("\r?\n")) {
      var name = Pattern.compile("  \"?(/[^\"]*?)\"?:").matcher(line);
      if (name.matches()) {
        path = name.group(1);
      } else if (line.matches("    (get|post|put|patch|delete|head|options):")) {
        described.add(line.strip().replace(":", "").toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    List<String> rows = Routes.api().stream().map(Route::toString).toList();
    assertThat(described.stream().map(one -> one.replace(" /readpast/", " /")))
        .containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void sign_in_servlets_accept_no_user_without_a_provider() {
    for (String path : Routes.SERVLETS) {
      var answer = as("").get("/readpast" + path + "?code=1&state=2");
      assertThat(answer.status()).as(path).isIn(400, 404);
      assertThat(answer.header("Set-Cookie").orElse("")).doesNotContain("JSESSIONID");
    }
  }

  /**
   * Responses to other methods may reveal which paths exist, and the server itself sends some of
   * these responses.
   */
  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "OPTIONS", "TRACE", "PROPFIND", "GETT"})
  void other_methods_do_not_bypass_the_roles(String method) {
    for (Route route : Routes.api()) {
      if (route.least() != Role.ANYBODY) {
        assertThat(as("").send(method, "/readpast" + route.example(), "").status())
            .as("%s %s", method, route.example())
            .isIn(401, 403, 404, 405, 501);
      }
    }
  }

  @Test
  void method_override_header_is_ignored() {
    String before = TestDatabase.value(DATABASE, CHANGED);
    for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
      assertThat(as("viewer:secret").with(header + ": POST").get("/readpast/api/queues").status())
          .isEqualTo(200);
      assertThat(
              as("viewer:secret")
                  .with(header + ": GET")
                  .send("POST", "/readpast/api/queues/mail/purge", "")
                  .status())
          .isEqualTo(403);
    }
    assertThat(TestDatabase.value(DATABASE, CHANGED)).isEqualTo(before);
  }

  /** Tests path spellings that a server and an application may interpret differently. */
  @Test
  void no_spelling_of_a_path_bypasses_the_sign_in() {
    List<String> within = new ArrayList<>();
    for (String path :
        List.of(
            "//api/queues",
            "/api//queues",
            "/./api/queues",
            "/api/./queues",
            "/api/session/../queues",
            "/api/session/..;/queues",
            "/api/session;/../queues",
            "/api/session/%2e%2e/queues",
            "/api/session%2f..%2fqueues",
            "/api/session/..%2fqueues",
            "/%61pi/queues",
            "/api/%71ueues",
            "/api;x=y/queues",
            "/api/queues;x=y",
            "/API/queues",
            "/api/queues/",
            "/api/queues%00",
            "/api\\queues",
            "/api/queues?x=/api/session",
            "/vendor/../api/queues",
            "/index.html/../api/queues",
            "/;/api/queues")) {
      var answer = as("").get("/readpast" + path);
      // Payara treats the text after a semicolon as a parameter, for example of the page at the
      // root.
      boolean page = answer.header("Content-Type").orElse("").startsWith("text/html");
      if (answer.status() < 300 && !page || answer.status() >= 500) {
        within.add(path + ": " + answer.status() + " " + answer.body());
      }
    }
    assertThat(within).isEmpty();
  }

  @ParameterizedTest
  @MethodSource
  void static_file_is_public(Route file) {
    assertThat(as("").get("/readpast" + file.example()).status()).isEqualTo(200);
  }

  static Stream<Route> static_file_is_public() {
    return Routes.files().stream();
  }

  @ParameterizedTest
  @MethodSource
  void health_check_is_public_and_reveals_no_secret(String path) {
    var answer = as("").get(path);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).doesNotContain(DATABASE.url(), HASH.substring(40));
  }

  static List<String> health_check_is_public_and_reveals_no_secret() {
    return Routes.OPEN_TO_ALL;
  }

  /**
   * In Payara, metrics are open to everyone until an administrator of the server restricts them;
   * see monitoring.md.
   */
  @Test
  void metrics_are_restricted_to_administrators_if_configured() {
    var answer = as("").get("/metrics");
    boolean liberty = System.getProperty("readpast.server", "liberty").equals("liberty");
    assertThat(answer.status()).isEqualTo(liberty ? 403 : 200);
  }

  @Test
  void absent_object_gets_the_same_response_for_all_permitted_callers() {
    var answers =
        Stream.of("viewer:secret", "operator:secret", "admin:secret")
            .map(login -> as(login).get("/readpast/api/jobs/999999999"))
            .map(answer -> answer.status() + answer.body())
            .distinct()
            .toList();
    assertThat(answers).hasSize(1);
    // The server refuses a caller without the role before it searches for the object.
    assertThat(as("viewer:secret").send("POST", "/readpast/api/jobs/999999999/run", "").body())
        .isEqualTo(
            as("viewer:secret")
                .send("POST", "/readpast/api/jobs/1/run", "")
                .body()
                .replace("jobs/1/run", "jobs/999999999/run"));
  }
}
