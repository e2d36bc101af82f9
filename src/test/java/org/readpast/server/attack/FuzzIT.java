package org.readpast.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.RawHttp;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/**
 * Sends requests generated from the server's own API description. The seed is printed: {@code
 * -Dreadpast.fuzz.seed} generates the same requests again, except for ids of jobs, and {@code
 * -Dreadpast.fuzz.requests} sets their number.
 */
class FuzzIT {
  private static final Duration LONG = Duration.ofSeconds(1);

  /** Limits the time for a response; a busy machine does not reach this limit. */
  private static final Duration HANG = Duration.ofSeconds(10);

  /** Requests that take a second or two by design. */
  private static final Set<String> IN_STEPS = Set.of("changeJobs", "resetJobs", "purgeQueue");

  private static final String WATCH =
      """
      create table deleted (id bigint);
      create function note_deleted() returns trigger language plpgsql as
        'begin insert into deleted values (old.id); return old; end';
      create trigger note_deleted after delete on readpast_job_history
        for each row execute function note_deleted()""";

  private static final int CLIENTS = 4;
  private static final int REQUESTS = Integer.getInteger("readpast.fuzz.requests", 2_000);
  private static final long SEED = Long.getLong("readpast.fuzz.seed", System.nanoTime());
  private static final Database DATABASE = TestPostgres.shared().newDatabase();
  private static final ServerProcess SERVER =
      ServerProcess.of(
          ServerSpec.named("fuzz", DATABASE)
              .withApplication("readpast", BuildDirectories.war())
              .withEnvironment("READPAST_ADMIN_PASSWORD", "secret")
              .withProperty("readpast.sql.datasources", "jdbc/readpast")
              .withProperty("readpast.retention.completed", "P1D")
              .withProperty("readpast.sql.statement.\"known\"", "select 1"));

  private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> slow = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> enqueued = new ConcurrentLinkedQueue<>();
  private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
  private final Map<String, Integer> succeeded = new ConcurrentSkipListMap<>();

  @BeforeAll
  static void start() {
    SERVER.start();
    DATABASE.execute(WATCH);
  }

  @AfterAll
  static void stop() {
    SERVER.kill();
  }

  @Test
  void requests_never_make_the_server_fail_hang_or_lose_a_job() throws Exception {
    System.out.println("readpast.fuzz.seed=" + SEED + ", requests " + REQUESTS);
    String description =
        new RawHttp(SERVER).with("Accept: application/json").get("/openapi?format=JSON").text();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Callable<Boolean>> shares = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Requests requests = new Requests(description, SEED + i);
        shares.add(
            () -> {
              for (int n = 0; n < REQUESTS / CLIENTS && faults.size() < 20; n++) {
                send(requests);
              }
              return true;
            });
      }
      for (Future<Boolean> share : clients.invokeAll(shares)) {
        share.get();
      }
    } finally {
      clients.shutdownNow();
    }
    System.out.println("responses by status: " + statuses);
    System.out.println("successful operations: " + succeeded);
    slow.forEach(one -> System.out.println("slow: " + one));
    assertThat(faults).isEmpty();
    // If all requests were malformed, only the parser would be tested.
    assertThat(succeeded.size())
        .isGreaterThan(new Requests(description, SEED).operationIds().size() / 2);
    assertNoneLost();
    assertThat(new RawHttp(SERVER).get("/health/live").status()).isEqualTo(200);
  }

  private void send(Requests requests) throws IOException, InterruptedException {
    Requests.Request made = requests.next();
    var request =
        HttpRequest.newBuilder(SERVER.uri(made.target()))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", made.contentType())
            .header("Authorization", login())
            .method(made.method(), BodyPublishers.ofString(made.body()));
    made.headers().forEach(request::header);
    long begin = System.nanoTime();
    HttpResponse<String> answer;
    try {
      answer = Http.CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      faults.add(e + " to " + made);
      return;
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    statuses.merge(answer.statusCode(), 1, Integer::sum);
    if (answer.statusCode() >= 500 && !unheardOf(made, answer)) {
      faults.add(answer.statusCode() + " " + answer.body() + " to " + made);
    }
    if (took.compareTo(HANG) > 0) {
      faults.add(took + " for " + made);
    } else if (took.compareTo(LONG) > 0 && !IN_STEPS.contains(made.operation())) {
      slow.add(took.toMillis() + " ms for " + made);
    }
    if (answer.statusCode() < 300) {
      succeeded.merge(made.operation(), 1, Integer::sum);
      note(made, answer, requests);
    } else if (made.kind() == Requests.Kind.VALID
        && !answer.headers().firstValue("Content-Type").orElse("").contains("problem+json")) {
      // For paths that the server cannot read, the server itself responds.
      faults.add(
          answer.statusCode() + " without a problem document: " + answer.body() + " to " + made);
    }
  }

  /**
   * Returns true if the server itself has sent the response. Payara itself responds to each PATCH
   * request to a path outside the API.
   */
  private static boolean unheardOf(Requests.Request made, HttpResponse<String> answer) {
    return answer.statusCode() == 501
        && made.method().equals("PATCH")
        && made.target().contains("..");
  }

  private static String login() {
    return "Basic " + Base64.getEncoder().encodeToString("admin:secret".getBytes());
  }

  private void note(Requests.Request made, HttpResponse<String> answer, Requests requests) {
    if (made.operation().equals("enqueue")) {
      Pattern.compile("^\\{\"(?:id\":(\\d+)|ids\":\\[([\\d,]+))")
          .matcher(answer.body())
          .results()
          .forEach(
              found -> {
                String ids = found.group(1) == null ? found.group(2) : found.group(1);
                for (String id : ids.split(",")) {
                  enqueued.add(Long.valueOf(id));
                  requests.learn(Long.parseLong(id));
                }
              });
    }
  }

  /** Checks that each accepted job exists or has ended, unless a later request deleted it. */
  private void assertNoneLost() {
    assertThat(enqueued).isNotEmpty();
    Set<Long> lost = new TreeSet<>(enqueued);
    TestDatabase.column(
            DATABASE,
            "select id from readpast_job union select id from readpast_job_history union"
                + " select id from deleted")
        .forEach(id -> lost.remove(Long.valueOf(id)));
    System.out.println(enqueued.size() + " jobs were enqueued");
    assertThat(lost).isEmpty();
  }
}
