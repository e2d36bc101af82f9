package org.readpast.server.access;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.support.Await;
import org.readpast.support.BrowserWindow;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Http;
import org.readpast.support.OpenIdProvider;
import org.readpast.support.Passwords;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;
import org.readpast.support.WebBrowser;

/** Tests people and programs that sign in through a real OpenID provider, Open Liberty. */
class OpenIdConnectIT {
  private static final String SECRET = "client & secret";
  private static final ServerSpec SPEC =
      ServerSpec.named("openid-connect", TestPostgres.shared().newDatabase())
          .withApplication("readpast", BuildDirectories.war());
  private static final URI ROOT = URI.create("http://localhost:" + SPEC.httpPort() + "/readpast/");
  private static final OpenIdProvider PROVIDER = OpenIdProvider.launch(ROOT);
  private static final ServerProcess SERVER =
      ServerProcess.of(
          SPEC.withProperty("readpast.oidc.issuer", PROVIDER.issuer())
              .withProperty("readpast.oidc.name", "the provider")
              .withProperty("readpast.oidc.client-id", "readpast")
              // Payara writes the options of its JVM to its log.
              .withEnvironment("READPAST_OIDC_CLIENT_SECRET", SECRET)
              .withProperty("readpast.oidc.roles-claim", "groupIds")
              .withProperty("readpast.oidc.audience", "readpast-api")
              .withProperty("readpast.users", "Carla")
              .withProperty("readpast.user.\"Carla\".password-hash", Passwords.hash("ours"))
              .withProperty("readpast.user.\"Carla\".roles", "readpast-viewer")
              .withProperty("readpast.oidc.role.\"queue-admins\"", "readpast-admin"));

  private BrowserWindow window;

  @BeforeAll
  static void start() {
    SERVER.start();
    PROVIDER.awaitReady();
  }

  @AfterAll
  static void stop() {
    // Stopping this server, one of the first, makes the start of others faster.
    SERVER.stop();
    PROVIDER.stop();
  }

  @BeforeEach
  void openWindow() {
    window = WebBrowser.window(ROOT);
    // The provider's own page has no icon.
    window.expectFault("127.0.0.1");
  }

  @AfterEach
  void browser_reports_no_error() {
    try (BrowserWindow closed = window) {
      assertThat(closed.faults()).isEmpty();
    }
  }

  private Page page() {
    return window.page();
  }

  private void signIn(String user, String password) {
    page().getByText("Sign in with the provider").click();
    atTheProvider(user, password);
  }

  private void atTheProvider(String user, String password) {
    page().locator("[name=j_username]").fill(user);
    page().locator("[name=j_password]").fill(password);
    page().locator("[type=submit]").first().click();
  }

  @Test
  void provider_signs_a_user_in_to_the_requested_page_with_the_role_of_a_group() {
    window.open("#/queues?queue=mail");
    assertThat(page().getByText("Sign in with the provider")).isVisible();
    assertThat(window.accessibilityFaults()).isEmpty();
    window.screenshot("sign-in-provider");
    signIn("ada", "lovelace");
    assertThat(page().locator(".who")).hasText("ada");
    assertThat(page()).hasURL(ROOT + "#/queues?queue=mail");
    assertThat(session()).contains("\"readpast-admin\"").contains("csrfToken");
    Cookie cookie =
        window.context().cookies(ROOT.toString()).stream()
            .filter(one -> one.name.equals("readpast"))
            .findFirst()
            .orElseThrow();
    assertThat(cookie.httpOnly).isTrue();
    assertThat(cookie.sameSite.name()).isEqualTo("STRICT");
    // The state of the sign-in is deleted, and a change requires its token as after a password.
    assertThat(window.context().cookies(ROOT + "oidc"))
        .noneMatch(one -> one.name.equals("readpast-oidc"));
    assertThat(window.context().request().post(ROOT + "api/queues/mail/purge").status())
        .isEqualTo(403);
    page().reload();
    assertThat(page().locator(".who")).hasText("ada");
  }

  private String session() {
    return (String) page().evaluate("fetch('api/session').then((answer) => answer.text())");
  }

  @Test
  void sign_out_ends_the_session_of_the_console_and_of_the_provider() {
    window.open("#/nodes");
    signIn("oscar", "operates");
    assertThat(page().locator(".who")).hasText("oscar");
    assertThat(session()).contains("[\"readpast-operator\"]");
    page().getByText("Sign out").click();
    assertThat(page().getByLabel("Password")).isVisible();
    assertThat(page()).hasURL(Pattern.compile("^" + ROOT));
    assertThat(session()).doesNotContain("oscar");
    // The provider asks for the credentials again.
    page().getByText("Sign in with the provider").click();
    assertThat(page().locator("[name=j_password]")).isVisible();
  }

  @Test
  void expired_session_is_renewed_in_another_window_and_the_page_stays() {
    window.expectFault("status of 401");
    window.open("#/nodes");
    signIn("oscar", "operates");
    assertThat(page().locator(".who")).hasText("oscar");
    // Only the session of the console ends; the one at the provider continues.
    window.context().clearCookies(new BrowserContext.ClearCookiesOptions().setName("readpast"));
    page().evaluate("location.hash = '#/queues'");
    Locator dialog = page().locator("dialog[open]");
    assertThat(dialog).containsText("Your session has ended");
    Page other =
        window.context().waitForPage(() -> dialog.getByText("Sign in with the provider").click());
    assertThat(other.locator(".who")).hasText("oscar");
    other.close();
    page().evaluate("dispatchEvent(new Event('focus'))");
    assertThat(dialog).hasCount(0);
    assertThat(page().locator("main h1")).hasText("Queues");
    assertThat(page().locator(".who")).hasText("oscar");
  }

  @Test
  void user_without_a_role_gets_an_explanation_and_can_sign_in_under_another_name() {
    window.expectFault("status of 403");
    window.open("");
    signIn("nora", "nothing");
    assertThat(page().locator("h1")).hasText("You have no role here");
    assertThat(window.accessibilityFaults()).isEmpty();
    window.screenshot("no-role");
    page().getByText("Back to sign-in").click();
    assertThat(page().getByLabel("Password")).isVisible();
    assertThat(session()).doesNotContain("nora");
  }

  @Test
  void repeated_or_foreign_response_signs_no_user_in() {
    window.expectFault("status of 400");
    List<String> answers = new java.util.ArrayList<>();
    page()
        .onRequest(
            request -> {
              if (request.url().contains("/oidc/callback")) {
                answers.add(request.url());
              }
            });
    window.open("");
    signIn("ada", "lovelace");
    assertThat(page().locator(".who")).hasText("ada");
    page().navigate(answers.get(0));
    assertThat(page().locator("h1")).hasText("This sign-in is no longer valid");
    try (BrowserWindow other = WebBrowser.window(ROOT)) {
      other.expectFault("status of 400");
      other.page().navigate(answers.get(0));
      assertThat(other.page().locator("h1")).hasText("This sign-in is no longer valid");
      assertThat(other.faults()).isEmpty();
    }
  }

  @Test
  void code_unknown_to_the_provider_signs_no_user_in() throws Exception {
    var begun = get("oidc");
    var answer =
        get("oidc/callback?code=made-up&state=" + stateOf(begun), "Cookie", cookieOf(begun));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains("This sign-in is no longer valid");
    assertThat(answer.headers().allValues("Set-Cookie"))
        .noneMatch(one -> one.startsWith("readpast="));
  }

  @Test
  void page_does_not_quote_error_messages_of_the_provider() throws Exception {
    var begun = get("oidc");
    String cookie = cookieOf(begun);
    var wrong = get("oidc/callback?code=made-up&state=" + "A".repeat(43), "Cookie", cookie);
    assertThat(wrong.statusCode()).isEqualTo(400);
    String state = "&state=" + stateOf(begun);
    var denied = get("oidc/callback?error=access_denied" + state, "Cookie", cookie);
    assertThat(denied.statusCode()).isEqualTo(403);
    assertThat(denied.body()).contains("Access was denied").contains("href=\"/readpast/\"");
    var odd =
        get(
            "oidc/callback?error=%3Cscript%3E&error_description=%3Cscript%3Ealert(1)" + state,
            "Cookie",
            cookie);
    assertThat(odd.statusCode()).isEqualTo(502);
    assertThat(odd.body()).doesNotContain("<script>").doesNotContain("alert");
    var other =
        get("oidc/callback?code=x&iss=https%3A%2F%2Fother.example" + state, "Cookie", cookie);
    assertThat(other.statusCode()).isEqualTo(502);
    // The sign-in that this browser began can still be completed.
    assertThat(wrong.headers().allValues("Set-Cookie")).isEmpty();
    for (var answer : List.of(denied, odd, other)) {
      assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
      assertThat(answer.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
      assertThat(answer.headers().allValues("Set-Cookie"))
          .allMatch(one -> one.startsWith("readpast-oidc=;"));
    }
  }

  @Test
  void sign_in_redirects_only_to_the_provider_and_back_to_the_console() throws Exception {
    var begun = get("oidc?page=https%3A%2F%2Fevil.example%2F");
    assertThat(begun.statusCode()).isEqualTo(303);
    assertThat(begun.headers().firstValue("Location").orElse(""))
        .startsWith(PROVIDER.issuer() + "/authorize?")
        .contains("response_type=code&")
        .contains("code_challenge_method=S256")
        .contains("nonce=")
        .doesNotContain("evil");
    assertThat(begun.headers().allValues("Set-Cookie"))
        .singleElement()
        .satisfies(
            cookie ->
                assertThat(cookie)
                    .contains("HttpOnly", "SameSite=Lax", "Path=/readpast/oidc")
                    .matches("readpast-oidc=[^.]+\\.[^.]+\\.[^.;]+\\.;.*"));
    // Another site cannot begin a sign-in.
    assertThat(get("oidc", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
  }

  private static HttpResponse<String> get(String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(ROOT + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return Http.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static String cookieOf(HttpResponse<String> begun) {
    return begun.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
  }

  private static String stateOf(HttpResponse<String> begun) {
    return cookieOf(begun).split("[=.]")[1];
  }

  private static String token(String user, String password) {
    return PROVIDER.accessToken("readpast", SECRET, user, password);
  }

  private static HttpResponse<String> ask(String method, String path, String body, String token)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(ROOT + "api/" + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
    return Http.CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  private static int status(String token) throws Exception {
    return ask("GET", "queues", "", token).statusCode();
  }

  @Test
  void access_token_grants_the_roles_of_its_groups() throws Exception {
    String operator = token("oscar", "operates");
    String job = "{\"type\":\"readpast.ping\",\"payload\":{}}";
    var enqueued = ask("POST", "queues/bearer/jobs", job, operator);
    assertThat(enqueued.statusCode()).as(enqueued.body()).isEqualTo(201);
    assertThat(enqueued.body()).contains("\"oscar\"");
    assertThat(ask("POST", "queues/bearer/purge", "", operator).statusCode()).isEqualTo(403);
    assertThat(ask("POST", "queues/bearer/purge", "", token("ada", "lovelace")).statusCode())
        .isEqualTo(200);
    var none = ask("GET", "queues", "", token("nora", "nothing"));
    assertThat(none.statusCode()).isEqualTo(403);
    assertThat(none.body()).contains("the user of the token has no role in Readpast");
  }

  @Test
  void damaged_or_foreign_token_is_refused() throws Exception {
    String good = token("ada", "lovelace");
    assertThat(status(good)).isEqualTo(200);
    String[] parts = good.split("\\.");
    String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
    String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
    char first = parts[2].charAt(0);
    String tampered = (first == 'A' ? 'B' : 'A') + parts[2].substring(1);
    assertThat(status(parts[0] + "." + parts[1] + "." + tampered)).isEqualTo(401);
    String later =
        encoded(
            claims.replaceFirst(
                "\"exp\":\\d+", "\"exp\":" + (Instant.now().getEpochSecond() + 99_999)));
    assertThat(status(parts[0] + "." + later + "." + parts[2])).isEqualTo(401);
    String none = encoded(header.replace("RS256", "none"));
    assertThat(status(none + "." + parts[1] + ".")).isEqualTo(401);
    assertThat(status(none + "." + parts[1] + "." + parts[2])).isEqualTo(401);
    String unknown = encoded(header.replaceFirst("\"kid\":\"[^\"]*\"", "\"kid\":\"unknown\""));
    assertThat(status(unknown + "." + parts[1] + "." + parts[2])).isEqualTo(401);
    assertThat(status("nonsense")).isEqualTo(401);
    assertThat(status("")).isEqualTo(401);

    var another =
        ask("GET", "queues", "", PROVIDER.accessToken("another", "another", "ada", "lovelace"));
    assertThat(another.statusCode()).isEqualTo(401);
    assertThat(another.body()).contains("JWT aud claim rejected");
    assertThat(another.headers().firstValue("WWW-Authenticate").orElse(""))
        .startsWith("Bearer ")
        .contains("invalid_token");
    assertThat(status(good)).isEqualTo(200);
  }

  @Test
  void response_to_a_token_that_cannot_be_checked_says_when_to_try_again() throws Exception {
    String[] parts = token("ada", "lovelace").split("\\.");
    String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
    String unknown = encoded(header.replaceFirst("\"kid\":\"[^\"]*\"", "\"kid\":\"newer\""));
    String token = unknown + "." + parts[1] + "." + parts[2];
    PROVIDER.suspend();
    try {
      // For some seconds after the keys were read, an unknown key is refused without reading them.
      Await.until(
          Duration.ofSeconds(60),
          "the keys are read from the provider that does not respond",
          () -> {
            var refused = ask("GET", "queues", "", token);
            if (refused.statusCode() != 503) {
              return false;
            }
            assertThat(refused.headers().firstValue("Retry-After")).contains("60");
            return true;
          });
    } finally {
      PROVIDER.resume();
    }
  }

  @Test
  void provider_cannot_sign_a_user_in_under_a_configured_name() throws Exception {
    assertThat(status(token("carla", "of-the-provider"))).isEqualTo(403);
    SERVER.awaitLogged("READPAST-0417 'carla'");

    window.expectFault("status of 403");
    window.open("");
    signIn("carla", "of-the-provider");
    assertThat(page().locator("h1")).hasText("You have no role here");
  }

  private static String encoded(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void neither_shown_configuration_nor_log_contains_the_secret_or_a_token() throws Exception {
    String good = token("ada", "lovelace");
    String about = ask("GET", "about", "", good).body();
    assertThat(about).contains("readpast.oidc.client-secret").doesNotContain(SECRET);
    ask("GET", "queues", "", good + "x");
    get("oidc/callback?code=made-up-code&state=x");
    assertThat(log()).doesNotContain(SECRET, good.split("\\.")[1], "made-up-code");
  }

  private static String log() throws IOException {
    return Files.readString(SERVER.log());
  }
}
