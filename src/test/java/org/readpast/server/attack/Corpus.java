package org.readpast.server.attack;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Contains strings that have a meaning to a parser, such as markup, log entries or expressions. */
final class Corpus {
  /** Contains strings that make a page execute {@code hacked=1} if they are not escaped. */
  static final List<String> MARKUP =
      List.of(
          "<script>hacked=1</script>",
          "\"><img src=x onerror=hacked=1>",
          "'><svg onload=hacked=1>",
          "</template></textarea><img src=x onerror=hacked=1>",
          "<a href=\"javascript:hacked=1\">a</a>",
          "javascript:hacked=1",
          "{{constructor.constructor('hacked=1')()}}",
          "${hacked=1}`${hacked=1}",
          "<iframe srcdoc='<script>parent.hacked=1</script>'>",
          "--><img src=x onerror=hacked=1><!--",
          "<style>@import '//x.example/'</style>");

  static final List<String> SQL =
      List.of(
          "' or '1'='1",
          "'; drop table readpast_job; --",
          "\\'; drop table readpast_job; --",
          "x') union select 1, version(), 3 --",
          "$$; drop table readpast_job; $$",
          "1; select pg_sleep(5)",
          "'||pg_sleep(5)||'",
          "%' or type like '%",
          "?1 ?2 :a #a {fn now()}",
          "{a,b}\",NULL,{",
          "queue,(select 1) desc");

  private static final List<String> PATHS =
      List.of(
          "../../WEB-INF/web.xml",
          "..\\..\\WEB-INF\\web.xml",
          "..;/..;/x",
          "%2e%2e%2f",
          "%252e%252e%252f",
          "/etc/passwd",
          "file:///etc/passwd",
          ".",
          "..");

  /** Looks like a log entry; {@link #LOGS} contains strings that end a line before it. */
  static final String FORGED = "READPAST-9999 forged";

  private static final List<String> LOGS =
      List.of(
          "a\r\n[ERROR] " + FORGED,
          "a\n" + FORGED,
          "a\u0085" + FORGED,
          "a\u2028" + FORGED,
          "\u001B[31m\u001B]0;" + FORGED + "\u0007",
          "{0} {1} %s %n %x");

  private static final List<String> ODD =
      List.of(
          "\0",
          "a\0b",
          "\uD800",
          "a\uDC00b",
          "\uDBFF\uDBFF",
          "\uFFFE\uFFFF",
          "\u202Ecod.exe",
          "",
          " ",
          "\t\u000B",
          "null",
          "NaN",
          "-1",
          "1e400",
          "0000-01-01T00:00:00Z",
          "+999999999-12-31T23:59:59Z",
          "9223372036854775808",
          "\uD83D\uDE00".repeat(200),
          "a".repeat(256),
          "a".repeat(5_000) + "!",
          "\"".repeat(999),
          "\\".repeat(999),
          "(".repeat(999),
          "PT" + "1".repeat(900) + "S",
          "P999999999999D",
          "* ".repeat(500),
          "0 0 31 2 *",
          "60 25 32 13 8",
          "*/0 * * * *",
          "1-99999999999 * * * *");

  /**
   * Is true in a long run, which sends each string to each place; every build sends one or two
   * strings of each kind.
   */
  private static final boolean LONG_RUN = Integer.getInteger("readpast.fuzz.requests", 0) > 2_000;

  private Corpus() {}

  /**
   * Returns the strings that are sent to every place. Addresses in strings contain the given port.
   */
  static List<String> texts(int canary) {
    return LONG_RUN
        ? all(canary)
        : List.of(
            MARKUP.get(0),
            SQL.get(0),
            SQL.get(1),
            "../../WEB-INF/web.xml",
            LOGS.get(0),
            "\0",
            "\uD800",
            "",
            "1e400",
            "+999999999-12-31T23:59:59Z",
            "\uD83D\uDE00".repeat(200),
            "a".repeat(5_000) + "!",
            "\\".repeat(999),
            addresses(canary).get(0),
            addresses(canary).get(5));
  }

  static List<String> all(int canary) {
    List<String> all = new ArrayList<>();
    all.addAll(MARKUP);
    all.addAll(SQL);
    all.addAll(PATHS);
    all.addAll(LOGS);
    all.addAll(ODD);
    all.addAll(addresses(canary));
    return all;
  }

  /** Returns strings that a logger, an expression language or a directory might resolve. */
  static List<String> addresses(int canary) {
    String at = "127.0.0.1:" + canary;
    return List.of(
        "${jndi:ldap://" + at + "/x}",
        "${${lower:j}ndi:${lower:l}dap://" + at + "/x}",
        "#{''.getClass().forName('javax.naming.InitialContext').doLookup('ldap://" + at + "/x')}",
        "${''.getClass()}",
        "T(java.lang.Runtime).getRuntime().exec('touch canary')",
        "ldap://" + at + "/x",
        "rmi://" + at + "/x",
        "iiop://" + at + "/x",
        "http://" + at + "/x",
        "jar:http://" + at + "/x!/",
        "java:global/readpast/JobQueueBean",
        "${env:READPAST_DB_PASSWORD}${sys:readpast.admin.password}${readpast.admin.password}",
        "<!DOCTYPE x SYSTEM \"http://" + at + "/x\"><x/>",
        "rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA==");
  }

  /** Returns payloads from which a deserializer with type information would create objects. */
  static List<String> gadgets(int canary) {
    String at = "127.0.0.1:" + canary;
    List<String> gadgets = new ArrayList<>();
    for (String member : List.of("@class", "@type", "$type", "class", "_type", "javaClass")) {
      gadgets.add(
          "{\"%s\":\"com.sun.rowset.JdbcRowSetImpl\",\"dataSourceName\":\"ldap://%s/x\",\"autoCommit\":true}"
              .formatted(member, at));
    }
    gadgets.add("[\"javax.naming.InitialContext\",{\"doLookup\":\"rmi://" + at + "/x\"}]");
    gadgets.add("{\"__proto__\":{\"hacked\":1},\"constructor\":{\"prototype\":{\"hacked\":1}}}");
    gadgets.add("{\"$ref\":\"http://" + at + "/x\"}");
    return gadgets;
  }

  /** Returns the text as a JSON string in ASCII, which is the only form for unpaired surrogates. */
  static String json(String text) {
    var quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Returns the text in the form for a path or a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
