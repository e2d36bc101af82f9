package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Requests paths that lead outside the served content, in spellings that a server and its filters
 * may interpret differently.
 */
interface HostilePaths extends Attack {
  List<String> WANTED =
      List.of(
          "WEB-INF/web.xml",
          "WEB-INF/classes/META-INF/openapi.yaml",
          "WEB-INF/classes/org/readpast/rest/access/Roles.class",
          "META-INF/MANIFEST.MF",
          "web-inf/web.xml",
          "WEB-INF./web.xml",
          "WEB-INF;/web.xml",
          "WEB-INF%2fweb.xml",
          "WEB-INF%5cweb.xml",
          "%57EB-INF/web.xml",
          "WEB-INF/web.xml%00.js",
          "WEB-INF/web.xml%20",
          "etc/passwd",
          "server.xml",
          "server.env",
          "index.html%00",
          "index.html%2f",
          "index.html::$DATA");

  List<String> WAYS =
      List.of(
          "",
          "./",
          "../",
          "../../../../../../../../",
          "..;/",
          "..;/..;/..;/",
          "%2e%2e/",
          "%2e%2e%2f%2e%2e%2f",
          "..%2f..%2f",
          "..%5c..%5c",
          "..\\..\\",
          "....//....//",
          "%252e%252e%252f",
          "%c0%ae%c0%ae/",
          "%uff0e%uff0e/",
          "console/../",
          "vendor/..;/",
          "vendor/..%2f",
          "console//../",
          ";x=y/",
          "api/../",
          "api/..;/",
          "api/session/..;/..;/");

  @Test
  default void only_the_pages_are_served() {
    for (String way : WAYS) {
      for (String wanted : WANTED) {
        for (String start : List.of("/readpast/", "//readpast/")) {
          String path = start + way + wanted;
          var answer = http().get(path);
          assertThat(answer.body())
              .as("GET %s: %d", path, answer.status())
              .doesNotContain(
                  "<web-app",
                  "root:",
                  "openapi: 3",
                  "Manifest-Version",
                  "featureManager",
                  "\u00CA\u00FE\u00BA\u00BE");
          assertThat(answer.status()).as(path).isNotEqualTo(200);
          // Open Liberty itself responds with 500 to a backslash and similar characters, before the
          // application is called.
          assertThat(answer.body()).as(path).doesNotContain("Exception", "\tat ");
        }
      }
    }
  }

  @Test
  default void folders_are_not_listed() {
    for (String folder : List.of("console/", "console/pages/", "vendor/", "vendor", "console")) {
      assertThat(send(http(), "GET", "/readpast/" + folder, "").status()).isIn(302, 403, 404);
    }
  }

  @Test
  default void writing_methods_are_refused_for_files() {
    for (String method : List.of("PUT", "DELETE", "PATCH", "POST", "TRACE", "CONNECT", "MOVE")) {
      var answer = send(http(), method, "/readpast/index.html", "<b>hacked</b>");
      assertThat(answer.status()).as(method).isIn(400, 403, 404, 405, 501);
      assertThat(answer.body()).doesNotContain("hacked");
    }
    assertThat(send(http(), "GET", "/readpast/index.html", "").body()).doesNotContain("hacked");
  }
}
