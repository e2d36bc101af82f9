package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.readpast.support.BrowserWindow;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.DirectoryTree;
import org.readpast.support.Ports;
import org.readpast.support.RawHttp;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;
import org.readpast.support.WebBrowser;

/** Runs all attacks on one server, and then searches its log for forbidden content. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AttackIT
    implements HostileTexts, HostileBodies, HostilePaths, CrossSite, ErrorAnswers, Secrets {
  private final Database database = TestPostgres.shared().newDatabase("attacked", Secrets.DATABASE);
  private final ServerSocket canary = listen();
  private final AtomicInteger visits = new AtomicInteger();
  private final ServerProcess server =
      ServerProcess.of(
          ServerSpec.named("attack", database)
              .withApplication("readpast", BuildDirectories.war())
              .withEnvironment("READPAST_ADMIN_PASSWORD", Secrets.ADMIN)
              .withEnvironment("READPAST_WEBHOOK_SECRET", Secrets.WEBHOOK)
              .withEnvironment(
                  "READPAST_WEBHOOK_URL",
                  "http://localhost:" + Ports.free() + "/" + Secrets.WEBHOOK_PATH)
              .withProperty("readpast.webhook.allow", "localhost")
              .withProperty("readpast.sql.datasources", "jdbc/readpast")
              .withProperty("readpast.sql.statement.\"known\"", "select 1"));
  private final List<Duration> times = new ArrayList<>();
  private final List<String> slowRefusals = new ArrayList<>();
  private BrowserWindow window;

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeAll
  void start() throws IOException {
    Thread counter =
        new Thread(
            () -> {
              while (true) {
                try {
                  canary.accept().close();
                  visits.incrementAndGet();
                } catch (SocketException e) {
                  return;
                } catch (IOException e) {
                  visits.incrementAndGet();
                }
              }
            });
    counter.setDaemon(true);
    counter.start();
    // The whole log is read, so it must contain only this run.
    Path directory = BuildDirectories.run(server.spec().name());
    if (Files.exists(directory)) {
      DirectoryTree.delete(directory);
    }
    server.start();
    for (int i = 0; i < 20; i++) {
      post("/queues/warm/jobs", "{\"type\":\"readpast.ping\",\"payload\":{}}");
      get("/jobs?q=queue:warm");
    }
    times.clear();
  }

  @AfterAll
  void server_called_no_attacker_and_logged_no_secret() throws IOException {
    server.kill();
    canary.close();
    List<Duration> sorted = times.stream().sorted().toList();
    System.out.printf(
        "%d hostile requests: median %d ms, 99th of 100 %d ms, longest %d ms%n",
        sorted.size(),
        sorted.get(sorted.size() / 2).toMillis(),
        sorted.get(sorted.size() * 99 / 100).toMillis(),
        sorted.get(sorted.size() - 1).toMillis());
    assertThat(slowRefusals).as("requests that are refused slowly, also on a second try").isEmpty();
    assertThat(visits).hasValue(0);
    readLogs(server.log().getParent());
    readLogs(BuildDirectories.run(server.spec().name()).resolve("console.log"));
  }

  private static void readLogs(Path logs) throws IOException {
    List<String> secrets = new ArrayList<>(Secrets.ALL);
    for (String secret : Secrets.ALL) {
      secrets.add(
          Base64.getEncoder().encodeToString(("admin:" + secret).getBytes(StandardCharsets.UTF_8)));
    }
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(secrets.stream().filter(text::contains)).as(file.toString()).isEmpty();
        assertThat(
                text.lines().filter(line -> line.matches("(\\[ERROR] )?" + Corpus.FORGED + ".*")))
            .as(file.toString())
            .isEmpty();
        // An unexpected error is reported by its id, and logged.
        assertThat(text.lines().filter(line -> line.contains("a request failed"))).isEmpty();
      }
    }
  }

  @BeforeEach
  void openWindow() {
    window = null;
  }

  @AfterEach
  void browser_reports_no_error() {
    if (window != null) {
      try (BrowserWindow closed = window) {
        assertThat(closed.faults()).isEmpty();
      }
    }
  }

  @Override
  public RawHttp http() {
    return new RawHttp(server);
  }

  @Override
  public RawHttp admin() {
    return http().as("admin:" + Secrets.ADMIN).with("Content-Type: application/json");
  }

  @Override
  public BrowserWindow window() {
    if (window == null) {
      window = WebBrowser.window(server.uri("/readpast/"));
    }
    return window;
  }

  @Override
  public void signIn() {
    var answer =
        window()
            .context()
            .request()
            .post(
                window().uri("api/session"),
                RequestOptions.create()
                    .setData(Map.of("name", "admin", "password", Secrets.ADMIN)));
    assertThat(answer.status()).isEqualTo(200);
  }

  @Override
  public String origin() {
    return server.uri("").toString();
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public int canary() {
    return canary.getLocalPort();
  }

  @Override
  public RawHttp.Answer send(RawHttp http, String method, String path, String body) {
    var answer = http.send(method, path, body);
    times.add(answer.took());
    String request = "%s %s %s".formatted(method, shortened(path), shortened(body));
    assertThat(answer.status()).as("%s: %s", request, answer.body()).isLessThan(500);
    if (isRefusal(answer) && !isPrompt(() -> http.send(method, path, body), answer)) {
      slowRefusals.add(request);
    }
    return answer;
  }

  /**
   * Returns true for every refusal except that of a wrong password, which is deliberately delayed.
   */
  private static boolean isRefusal(RawHttp.Answer answer) {
    return answer.status() >= 400 && answer.status() != 401 && answer.status() != 429;
  }

  /**
   * Returns true if one of several responses is prompt. A busy machine responds late, so a response
   * also counts as prompt if the server uses little processor time for it.
   */
  private boolean isPrompt(Supplier<RawHttp.Answer> again, RawHttp.Answer first) {
    return first.took().compareTo(PROMPT) <= 0
        || Stream.generate(() -> worksShortly(again)).limit(12).anyMatch(shortly -> shortly);
  }

  private boolean worksShortly(Supplier<RawHttp.Answer> request) {
    Duration before = server.processorTime();
    Duration took = request.get().took();
    return took.compareTo(PROMPT) <= 0
        || took.compareTo(PROMPT.multipliedBy(10)) <= 0
            && server.processorTime().minus(before).compareTo(PROMPT) <= 0;
  }

  private static String shortened(String text) {
    return text.length() < 300 ? text : text.substring(0, 300) + "…";
  }
}
