package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.readpast.support.RawHttp;
import org.readpast.support.TestDatabase;

/**
 * Sends the requests that a page from another site can cause, and uses sessions that another user
 * has started.
 */
interface CrossSite extends Attack {
  String JOB = "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}";

  private RawHttp.Answer begin(String... headers) {
    RawHttp http = http().with("Content-Type: application/json");
    for (String header : headers) {
      http = http.with(header);
    }
    return http.send(
        "POST",
        "/readpast/api/session",
        "{\"name\":\"admin\",\"password\":\"" + Secrets.ADMIN + "\"}");
  }

  private static String cookie(RawHttp.Answer signedIn) {
    // The server sets a session id and immediately replaces it; browsers keep the last one.
    List<String> cookies =
        signedIn.all("Set-Cookie").stream().filter(one -> one.startsWith("readpast=")).toList();
    String cookie = cookies.get(cookies.size() - 1);
    return "Cookie: " + cookie.substring(0, cookie.indexOf(';'));
  }

  private static String token(RawHttp.Answer signedIn) {
    var token = Pattern.compile("\"csrfToken\":\"([^\"]+)\"").matcher(signedIn.body());
    assertThat(token.find()).as(signedIn.body()).isTrue();
    return token.group(1);
  }

  private int change(RawHttp http) {
    return http.with("Content-Type: application/json")
        .send("POST", "/readpast/api/queues/cross/jobs", JOB)
        .status();
  }

  @Test
  default void session_changes_nothing_without_its_own_token() {
    var session = begin();
    var other = begin();
    RawHttp http = http().with(cookie(session));
    String token = token(session);
    for (String wrong :
        List.of(
            "",
            "X-CSRF-Token:",
            "X-CSRF-Token: " + token(other),
            "X-CSRF-Token: " + token.toUpperCase(java.util.Locale.ROOT) + "0",
            "X-CSRF-Token: " + token.substring(1),
            "X-CSRF-Token: null",
            "X-XSRF-TOKEN: " + token)) {
      assertThat(change(wrong.isEmpty() ? http : http.with(wrong))).as(wrong).isEqualTo(403);
    }
    assertThat(change(http.with("X-CSRF-Token: " + token))).isEqualTo(201);
  }

  /**
   * Tests the content types that a form on another site can send. A form on another site cannot
   * send a CSRF token.
   */
  @Test
  default void form_from_another_site_changes_nothing() {
    RawHttp http = http().with(cookie(begin()));
    String before = TestDatabase.value(database(), "select count(*) from readpast_audit");
    for (String type :
        List.of(
            "application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x")) {
      for (String path : List.of("/queues/cross/jobs", "/queues/cross/purge", "/jobs/1/run")) {
        assertThat(
                http.with("Content-Type: " + type)
                    .with("Origin: http://evil.example")
                    .send("POST", "/readpast/api" + path, JOB)
                    .status())
            .as("%s as %s", path, type)
            .isEqualTo(403);
      }
    }
    assertThat(TestDatabase.value(database(), "select count(*) from readpast_audit"))
        .isEqualTo(before);
  }

  /** Browsers also attach a remembered password to requests that other sites cause. */
  @Test
  default void page_from_another_site_changes_nothing_with_a_stored_password() {
    for (String header :
        List.of(
            "Sec-Fetch-Site: cross-site",
            "Sec-Fetch-Site: same-site",
            "Origin: http://evil.example",
            "Origin: null",
            "Origin: http://localhost.evil.example",
            "Origin: http://localhost")) {
      assertThat(change(admin().with(header))).as(header).isEqualTo(403);
    }
    // Behind a proxy, the page's origin differs from the name in the request.
    assertThat(
            change(
                admin().with("Origin: https://queue.example").with("Sec-Fetch-Site: same-origin")))
        .isEqualTo(201);
    assertThat(change(admin().with("Origin: " + origin()))).isEqualTo(201);
  }

  @Test
  default void other_sites_cannot_read_responses() {
    for (String method : List.of("GET", "OPTIONS")) {
      var answer =
          admin()
              .with("Origin: http://evil.example")
              .with("Access-Control-Request-Method: POST")
              .with("Access-Control-Request-Headers: x-csrf-token,content-type")
              .send(method, "/readpast/api/queues", "");
      assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
      assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
    }
  }

  @Test
  default void session_of_another_user_is_invalid_after_the_sign_in() {
    var attackers = begin();
    for (String fixed :
        List.of(
            cookie(attackers),
            "Cookie: readpast=0000AAAAAAAAAAAAAAAAAAAAAAAAAA",
            "Cookie: JSESSIONID=fixed; readpast=fixed")) {
      var signedIn = begin(fixed, "X-CSRF-Token: " + token(attackers));
      if (signedIn.status() == 200) {
        assertThat(cookie(signedIn)).isNotEqualTo(fixed);
        assertThat(http().with(fixed).get("/readpast/api/queues").status()).isEqualTo(401);
        assertThat(http().with(cookie(signedIn)).get("/readpast/api/queues").status())
            .isEqualTo(200);
      } else {
        assertThat(signedIn.status()).isEqualTo(403);
      }
    }
  }
}
