package org.readpast.server.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.support.Database;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.TestDatabase;

/**
 * Sends requests to the REST API of several servers, whose versions may differ. The client repeats
 * each request with its idempotency key until a server responds.
 */
final class RestRequests implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(30);
  private static final String LOGIN =
      Base64.getEncoder().encodeToString(("admin:" + UpgradeServers.PASSWORD).getBytes(UTF_8));

  private final Database database;
  private List<ServerProcess> servers = List.of();
  private volatile boolean wanted;
  private final Map<ServerProcess, Integer> accepted = new ConcurrentHashMap<>();
  private int turn;
  private Thread thread = new Thread();

  RestRequests(Database database) {
    this.database = database;
  }

  void start(ServerProcess... known) {
    servers = List.of(known);
    wanted = true;
    thread = new Thread(this::request, "REST requests");
    thread.start();
  }

  /** Returns the number of requests that this server has accepted. */
  int acceptedBy(ServerProcess server) {
    return accepted.getOrDefault(server, 0);
  }

  private void request() {
    try {
      while (wanted) {
        long n =
            TestDatabase.count(
                database,
                """
                insert into promised (n, kind, producer, attempts, follows)
                values (nextval('promise'), 'note', 'rest', 1, '{}') returning n""");
        while (!accepted(servers.get(turn % servers.size()), n)) {
          turn++;
          Thread.sleep(PAUSE.toMillis());
        }
        accepted.merge(servers.get(turn % servers.size()), 1, Integer::sum);
        turn++;
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean accepted(ServerProcess server, long n) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(server.uri("/readpast/api/queues/upgrade/jobs"))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/json")
            .header("Authorization", "Basic " + LOGIN)
            .header("Idempotency-Key", "note-" + n)
            .POST(
                BodyPublishers.ofString(
                    "{\"type\":\"upgrade.note\",\"payload\":{\"n\":%d},\"priority\":6}"
                        .formatted(n)))
            .build();
    try {
      int status = Http.CLIENT.send(request, BodyHandlers.discarding()).statusCode();
      return status == 201 || status == 200;
    } catch (IOException e) {
      // The server was stopped, or has not been started yet.
      return false;
    }
  }

  /** Ends the client after the current request. */
  @Override
  public void close() {
    wanted = false;
    try {
      thread.join(LONGEST_REQUEST.toMillis());
      // If no server responds, the client would repeat its request forever.
      thread.interrupt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
