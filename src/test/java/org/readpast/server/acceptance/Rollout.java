package org.readpast.server.acceptance;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.readpast.support.Acceptance;
import org.readpast.support.Await;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.upgrade.Ledger;

/** Represents a server of a rollout, which receives requests for new jobs as long as it runs. */
final class Rollout implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration BETWEEN_REQUESTS = Duration.ofMillis(Acceptance.size(500, 150));

  private final ServerProcess server;
  private final Ledger ledger;
  private Thread requests = new Thread();
  private volatile boolean wanted;

  Rollout(ServerProcess server, Ledger ledger) {
    this.server = server;
    this.ledger = ledger;
  }

  /** Starts the server. Requests begin as soon as the server is ready, unless it only runs jobs. */
  Rollout start(boolean withRequests) {
    server.start();
    if (withRequests) {
      wanted = true;
      requests = new Thread(this::request, "requests to " + server.spec().name());
      requests.start();
    }
    return this;
  }

  private void request() {
    var request =
        HttpRequest.newBuilder(server.uri("/upgrade/round"))
            .timeout(Duration.ofSeconds(30))
            .POST(BodyPublishers.noBody())
            .build();
    while (wanted) {
      try {
        try {
          Http.CLIENT.send(request, BodyHandlers.discarding());
        } catch (IOException e) {
          // The server has stopped; the ledger contains what it has committed.
        }
        Thread.sleep(BETWEEN_REQUESTS.toMillis());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Stops the server while requests are still being sent. */
  void stop() {
    server.stop();
    endRequests();
  }

  void endRequests() {
    wanted = false;
    try {
      requests.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  ServerProcess server() {
    return server;
  }

  /** Waits until this server has run more jobs of a kind. */
  void awaitMore(String kind, int jobs) {
    String node = server.spec().properties().get("readpast.node.name");
    long before = ledger.workedBy(node, kind);
    int wantedJobs = Acceptance.size(jobs, jobs * 10);
    Await.until(
        LIMIT,
        wantedJobs + " more " + kind + " by " + node,
        () -> {
          ledger.assertNothingDead();
          return ledger.workedBy(node, kind) >= before + wantedJobs;
        });
  }

  @Override
  public void close() {
    wanted = false;
    if (server.isAlive()) {
      server.kill();
    }
  }
}
