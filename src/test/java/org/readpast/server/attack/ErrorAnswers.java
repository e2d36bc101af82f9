package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.support.RawHttp;

/**
 * Checks that error responses also have all security headers, and reveal no details of the server.
 */
interface ErrorAnswers extends Attack {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | POST | api/queues/error/jobs | Accept: application/json",
        "400 | GET | api/jobs?limit=x | Accept: */*",
        "400 | GET | api/jobs?q=a%00 | Accept: */*",
        "401 | GET | api/queues | Authorization: Basic eDp5",
        "401 | GET | api/none | Authorization: Basic eDp5",
        "403 | POST | api/queues/error/purge | Sec-Fetch-Site: cross-site",
        "404 | GET | api/none | Accept: text/html",
        "404 | GET | api/jobs/999999999 | Accept: */*",
        "404 | GET | none | Accept: text/html",
        "404 | GET | vendor/none.js | Accept: */*",
        "404 | GET | WEB-INF/web.xml | Accept: */*",
        "405 | DELETE | api/queues | Accept: */*",
        "405 | PUT | api/jobs | Accept: text/html",
        "405 | POST | index.html | Accept: text/html",
        "406 | GET | api/queues | Accept: image/png",
        "406 | GET | api/jobs/999999999 | Accept: text/html",
        "413 | POST | api/queues/error/jobs | X-Large: yes",
        "415 | POST | api/queues/error/jobs | Content-Type: text/plain",
      })
  default void error_has_every_security_header_and_reveals_nothing_about_the_server(
      int status, String method, String path, String header) {
    RawHttp http =
        header.startsWith("Authorization") ? http() : http().as("admin:" + Secrets.ADMIN);
    if (!header.startsWith("Content-Type")) {
      http = http.with("Content-Type: application/json");
    }
    String body = status == 413 ? "\"" + "x".repeat(34 << 20) + "\"" : "x";
    var answer =
        http.with(header).send(method, "/readpast/" + path, method.equals("GET") ? "" : body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertGuarded(answer);
    if (path.startsWith("api/")) {
      Attack.assertRefused(answer);
      assertThat(answer.header("Cache-Control")).hasValue("no-store");
    } else {
      assertThat(answer.header("Cache-Control").orElse("")).doesNotContain("immutable", "public");
    }
  }

  private static void assertGuarded(RawHttp.Answer answer) {
    assertThat(answer.header("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(answer.header("Content-Security-Policy").orElse(""))
        .startsWith("default-src 'self'");
    assertThat(answer.header("Referrer-Policy")).hasValue("same-origin");
    assertThat(answer.header("Cross-Origin-Opener-Policy")).hasValue("same-origin");
    assertThat(answer.all("Content-Security-Policy")).hasSize(1);
    assertTellsNothing(answer);
  }

  private static void assertTellsNothing(RawHttp.Answer answer) {
    assertThat(answer.header("Server")).isEmpty();
    assertThat(answer.header("X-Powered-By")).isEmpty();
    assertThat(answer.body().toLowerCase(Locale.ROOT))
        .doesNotContain("exception", "stack", "\tat ", "liberty", "websphere", "payara", "srve");
  }

  /**
   * Requests that do not reach the application. Outside the application's root, the server itself
   * responds.
   */
  @Test
  default void malformed_request_reveals_nothing_about_the_server() {
    for (String target :
        List.of(
            "/readpast/%zz", "/readpast/api/queues?%", "/readpast/\\..\\x", "/readpast/\u00e9")) {
      assertTellsNothing(http().get(target));
    }
  }
}
