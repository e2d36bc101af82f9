package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.readpast.support.BrowserWindow;
import org.readpast.support.Database;
import org.readpast.support.RawHttp;

/** A server under attack, as a test has it before it. */
interface Attack {
  Duration PROMPT = Duration.ofMillis(50);

  /** Says nothing of who it is. */
  RawHttp http();

  RawHttp admin();

  /** Opened when it is first asked for; nothing may go wrong in it. */
  BrowserWindow window();

  /** Signs the window in as the administrator. */
  void signIn();

  /** What browsers call a page of this server. */
  String origin();

  Database database();

  /** Who connects to this port has read a text as an address. */
  int canary();

  /** Notes how long it took, and holds it to what every answer is held to. */
  RawHttp.Answer send(RawHttp http, String method, String path, String body);

  default RawHttp.Answer post(String path, String body) {
    return send(admin(), "POST", "/readpast/api" + path, body);
  }

  default RawHttp.Answer get(String path) {
    return send(admin(), "GET", "/readpast/api" + path, "");
  }

  /** A refusal that says what to do, and nothing of the server. */
  static void assertRefused(RawHttp.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
    assertThat(answer.header("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body()).contains("\"detail\":\"");
  }
}
