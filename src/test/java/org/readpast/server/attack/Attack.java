package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.readpast.support.BrowserWindow;
import org.readpast.support.Database;
import org.readpast.support.RawHttp;

/** Provides a server that is attacked, and the tools with which tests attack it. */
interface Attack {
  Duration PROMPT = Duration.ofMillis(50);

  /** Returns a client without credentials. */
  RawHttp http();

  RawHttp admin();

  /** Returns the browser window, which is opened on first use. No error may occur in the window. */
  BrowserWindow window();

  /** Signs the window in as the administrator. */
  void signIn();

  /** Returns the origin that browsers send for a page of this server. */
  String origin();

  Database database();

  /**
   * Returns a port that counts connections: each connection means that a server has used a string
   * as an address.
   */
  int canary();

  /** Records the duration of a response, and checks the requirements for all responses. */
  RawHttp.Answer send(RawHttp http, String method, String path, String body);

  default RawHttp.Answer post(String path, String body) {
    return send(admin(), "POST", "/readpast/api" + path, body);
  }

  default RawHttp.Answer get(String path) {
    return send(admin(), "GET", "/readpast/api" + path, "");
  }

  /** Checks that a refusal says what to do, and reveals no details of the server. */
  static void assertRefused(RawHttp.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body()).contains("\"detail\":\"");
  }
}
