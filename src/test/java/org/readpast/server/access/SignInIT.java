package org.readpast.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Http;
import org.readpast.support.LibertyServer;
import org.readpast.support.PayaraServer;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Tests sessions, which replace a password with each request for browsers. */
class SignInIT {
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("sign-in", TestPostgres.shared().newDatabase())
              .withApplication("readpast", BuildDirectories.war())
              .withAdmin("secret")
              .withProperty("readpast.users.container", "true")
              .withProperty("readpast.users.container.role.\"night shift\"", "readpast-operator")
              .withProperty("readpast.users", "carla")
              .withProperty("readpast.user.\"carla\".password-hash", hash("open sésame"))
              .withProperty("readpast.user.\"carla\".roles", "readpast-viewer"));

  private final CookieManager cookies = new CookieManager();
  private final HttpClient browser =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).cookieHandler(cookies).build();

  @BeforeAll
  static void start() {
    if (SERVER instanceof LibertyServer liberty) {
      liberty.configure(
          "registry",
          """
          <basicRegistry id="people" realm="people">
            <user name="vera" password="looks"/>
            <user name="nils" password="works"/>
            <user name="otto" password="neither"/>
            <user name="carla" password="of-the-server"/>
            <group name="readpast-viewer"><member name="vera"/></group>
            <group name="night shift"><member name="nils"/></group>
            <group name="others"><member name="otto"/></group>
            <group name="readpast-admin"><member name="carla"/></group>
          </basicRegistry>""");
    }
    SERVER.start();
    if (SERVER instanceof PayaraServer payara) {
      payara.createUser("vera", "looks", "readpast-viewer");
      payara.createUser("nils", "works", "night shift");
      payara.createUser("otto", "neither", "others");
      payara.createUser("carla", "of-the-server", "readpast-admin");
    }
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    var request =
        HttpRequest.newBuilder(SERVER.uri("/readpast/" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .header("Sec-Fetch-Dest", "empty")
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> signIn(String password) throws Exception {
    return send("POST", "api/session", "{\"name\":\"admin\",\"password\":\"" + password + "\"}");
  }

  private static String token(HttpResponse<String> session) {
    var matcher = Pattern.compile("\"csrfToken\":\"([0-9a-f]{32})\"").matcher(session.body());
    assertThat(matcher.find()).as(session.body()).isTrue();
    return matcher.group(1);
  }

  /** Normalizing this name for a comparison would take minutes. */
  @Test
  void name_as_long_as_a_request_is_refused_without_normalization() throws Exception {
    String marks = "a" + "\u0315".repeat(250_000) + "\u0321".repeat(250_000);
    var answer = send("POST", "api/session", "{\"name\":\"" + marks + "\",\"password\":\"x\"}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
  }

  @Test
  void session_authorizes_reads_and_its_token_authorizes_changes() throws Exception {
    assertThat(send("GET", "api/queues", "").statusCode()).isEqualTo(401);
    var session = signIn("secret");
    assertThat(session.statusCode()).as(session.body()).isEqualTo(200);
    assertThat(session.body()).contains("\"name\":\"admin\"").contains("readpast-admin");
    assertThat(send("GET", "api/queues", "").statusCode()).isEqualTo(200);

    String job = "{\"type\":\"readpast.ping\",\"payload\":{}}";
    assertThat(send("POST", "api/queues/web/jobs", job).statusCode()).isEqualTo(403);
    assertThat(
            send("POST", "api/queues/web/jobs", job, "X-CSRF-Token", "0".repeat(32)).statusCode())
        .isEqualTo(403);
    assertThat(
            send("POST", "api/queues/web/jobs", job, "X-CSRF-Token", token(session)).statusCode())
        .isEqualTo(201);
  }

  /** Session ids in URLs are visible to other people, and are written to logs. */
  @ParameterizedTest
  @ValueSource(strings = {"queues;readpast=%s", "queues;jsessionid=%s", "queues?readpast=%s"})
  void session_id_in_the_url_is_ignored(String path) throws Exception {
    String cookie = signIn("secret").headers().firstValue("Set-Cookie").orElseThrow();
    String id = cookie.replaceAll(";.*", "").replaceAll(".*=", "");
    var stranger =
        HttpRequest.newBuilder(SERVER.uri("/readpast/api/" + path.formatted(id))).build();
    assertThat(Http.CLIENT.send(stranger, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
  }

  /** Returns a hash that was created in the same way as by an administrator. */
  private static String hash(String password) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dfile.encoding=UTF-8",
            "-cp",
            BuildDirectories.war().resolveSibling("readpast-lib.jar").toString(),
            "org.readpast.runtime.HashPassword");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
        in.write(password + "\n");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      return said.strip();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void configured_user_signs_in_with_a_hash_only() throws Exception {
    String login = "{\"name\":\"carla\",\"password\":\"%s\"}";
    assertThat(send("POST", "api/session", login.formatted("open sesame")).statusCode())
        .isEqualTo(401);
    var session = send("POST", "api/session", login.formatted("open sésame"));
    assertThat(session.statusCode()).as(session.body()).isEqualTo(200);
    assertThat(session.body()).contains("readpast-viewer");
  }

  @ParameterizedTest
  @CsvSource({
    "vera, looks, readpast-viewer",
    "nils, works, readpast-operator",
    "vera, works, ''",
    "otto, neither, ''",
    "nobody, looks, ''",
    "vera, '', ''"
  })
  void user_of_the_server_has_the_roles_of_its_groups(String name, String password, String role)
      throws Exception {
    String login = "{\"name\":\"%s\",\"password\":\"%s\"}".formatted(name, password);
    var session = send("POST", "api/session", login);
    assertThat(session.statusCode())
        .as(session.body())
        .isIn(role.isEmpty() ? List.of(400, 401) : List.of(200));
    if (!role.isEmpty()) {
      assertThat(session.body()).contains("\"roles\":[\"" + role + "\"]");
    }
    cookies.getCookieStore().removeAll();
    String basic =
        "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes());
    assertThat(send("GET", "api/queues", "", "Authorization", basic).statusCode())
        .isEqualTo(role.isEmpty() ? 401 : 200);
  }

  @Test
  void user_of_the_server_cannot_sign_in_under_a_configured_name() throws Exception {
    String login = "{\"name\":\"carla\",\"password\":\"of-the-server\"}";
    assertThat(send("POST", "api/session", login).statusCode()).isEqualTo(401);
  }

  @Test
  void token_is_refused_without_a_provider() throws Exception {
    var answer = send("GET", "api/queues", "", "Authorization", "Bearer a.b.c");
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("no OpenID provider is configured");
    assertThat(send("GET", "api/session", "").body()).doesNotContain("provider");
    assertThat(send("GET", "oidc", "").statusCode()).isEqualTo(404);
  }

  @Test
  void hashes_cause_no_warning() throws Exception {
    assertThat(Files.readString(SERVER.log())).doesNotContain("READPAST-04");
  }

  @Test
  void sign_out_ends_the_session() throws Exception {
    String token = token(signIn("secret"));
    assertThat(send("DELETE", "api/session", "", "X-CSRF-Token", token).statusCode())
        .isEqualTo(204);
    assertThat(send("GET", "api/queues", "").statusCode()).isEqualTo(401);
    assertThat(send("GET", "api/session", "").body()).doesNotContain("admin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "POST"})
  void session_is_neither_ended_nor_replaced_without_its_token(String method) throws Exception {
    signIn("secret");
    String before = cookie();
    String other = "{\"name\":\"admin\",\"password\":\"secret\"}";
    assertThat(send(method, "api/session", method.equals("POST") ? other : "").statusCode())
        .isEqualTo(403);
    assertThat(cookie()).isEqualTo(before);
    assertThat(send("GET", "api/queues", "").statusCode()).isEqualTo(200);
  }

  @Test
  void wrong_password_is_refused_without_the_browsers_own_dialog() throws Exception {
    var answer = signIn("wrong");
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("the name or the password is wrong");
    assertThat(answer.headers().firstValue("WWW-Authenticate").orElse("")).doesNotContain("Basic");
    assertThat(send("GET", "api/queues", "").headers().firstValue("WWW-Authenticate").orElse(""))
        .doesNotContain("Basic");
  }

  @Test
  void cookie_excludes_scripts_and_other_applications_and_sites() throws Exception {
    assertThat(signIn("secret").headers().allValues("Set-Cookie"))
        .anySatisfy(
            cookie ->
                assertThat(cookie)
                    .contains("HttpOnly")
                    .containsIgnoringCase("SameSite=Strict")
                    .containsIgnoringCase("Path=/readpast"));
  }

  @Test
  void each_sign_in_creates_a_session_and_ends_the_previous_session() throws Exception {
    String token = token(signIn("secret"));
    String first = cookie();
    String again = "{\"name\":\"admin\",\"password\":\"secret\"}";
    assertThat(send("POST", "api/session", again, "X-CSRF-Token", token).statusCode())
        .isEqualTo(200);
    assertThat(cookie()).isNotEqualTo(first);
    assertThat(send("GET", "api/queues", "").statusCode()).isEqualTo(200);
    cookies.getCookieStore().removeAll();
    assertThat(send("GET", "api/queues", "", "Cookie", "readpast=" + first).statusCode())
        .isEqualTo(401);
  }

  private String cookie() {
    return cookies.getCookieStore().getCookies().stream()
        .filter(cookie -> cookie.getName().equals("readpast"))
        .map(HttpCookie::getValue)
        .findFirst()
        .orElseThrow();
  }

  private Stream<String> events() throws Exception {
    HttpRequest events = HttpRequest.newBuilder(SERVER.uri("/readpast/api/events")).build();
    return browser.send(events, BodyHandlers.ofLines()).body();
  }

  private static void awaitEvent(Iterator<String> stream) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          while (!stream.next().startsWith("event:")) {
            // Returns the lines before the next event.
          }
        });
  }

  @Test
  void event_stream_continues_while_its_client_reads() throws Exception {
    String token = token(signIn("secret"));
    try (var lines = events()) {
      var stream = lines.iterator();
      // The first event is the current state or, if the streams of other tests are still open, a
      // pulse.
      stream.next();
      for (int i = 0; i < 3; i++) {
        // The time is longer than the interval between two events of the stream.
        TimeUnit.MILLISECONDS.sleep(2_500);
        String job = "{\"type\":\"readpast.ping\",\"payload\":{}}";
        var sent = send("POST", "api/queues/told/jobs", job, "X-CSRF-Token", token);
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(201);
        awaitEvent(stream);
      }
    }
  }

  @Test
  void event_stream_opens_immediately_with_other_streams_and_no_events() throws Exception {
    signIn("secret");
    try (var first = events()) {
      // The stream starts with the current state or, if other streams are open, with a pulse.
      first.iterator().next();
      for (int i = 0; i < 3; i++) {
        // A stream may receive a pulse by chance, so the test is repeated.
        assertTimeoutPreemptively(Duration.ofSeconds(6), () -> events().close());
      }
    }
  }

  @Test
  void event_stream_ends_with_the_session() throws Exception {
    String token = token(signIn("secret"));
    try (var lines = events()) {
      var stream = lines.iterator();
      awaitEvent(stream);
      send("DELETE", "api/session", "", "X-CSRF-Token", token);
      assertTimeoutPreemptively(Duration.ofSeconds(20), () -> stream.forEachRemaining(line -> {}));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none.html", "vendor/none.js", "WEB-INF/web.xml", "console/pages/"})
  void response_for_an_absent_path_reveals_nothing_about_the_server(String path) throws Exception {
    var answer = send("GET", path, "");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("Page not found").doesNotContain("xception");
  }

  @Test
  void refusals_have_the_security_headers() throws Exception {
    assertThat(send("GET", "api/queues", "").headers().firstValue("Content-Security-Policy"))
        .isPresent();
  }

  @Test
  void browsers_cache_libraries_and_nothing_else() throws Exception {
    String page = send("GET", "index.html", "").body();
    var library = Pattern.compile("vendor/[\\w./-]+").matcher(page);
    assertThat(library.find()).as(page).isTrue();
    assertThat(send("GET", library.group(), "").headers().firstValue("Cache-Control").orElse(""))
        .contains("immutable");
    assertThat(send("GET", "console.css", "").headers().firstValue("Cache-Control"))
        .hasValue("no-cache");
    assertThat(send("GET", "api/session", "").headers().firstValue("Cache-Control"))
        .hasValue("no-store");
  }

  @Test
  void basic_authentication_takes_precedence_over_a_session() throws Exception {
    signIn("secret");
    String wrong = "Basic " + Base64.getEncoder().encodeToString("admin:wrong".getBytes());
    assertThat(send("GET", "api/queues", "", "Authorization", wrong).statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "index.html", "console/main.js", "console.css"})
  void page_is_public_and_runs_only_its_own_scripts(String path) throws Exception {
    var answer = send("GET", path, "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'self';")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
  }
}
