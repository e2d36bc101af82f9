package org.readpast.benchmark;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.readpast.benchmark.app.Control;
import org.readpast.benchmark.app.LeasedHandler;
import org.readpast.benchmark.app.Orders;
import org.readpast.benchmark.app.Progress;
import org.readpast.benchmark.app.Sender;
import org.readpast.benchmark.app.Tally;
import org.readpast.benchmark.app.TogetherHandler;
import org.readpast.benchmark.app.TransactionalHandler;
import org.readpast.benchmark.app.Work;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.Http;
import org.readpast.support.LibertyServer;
import org.readpast.support.RestApi;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/** Runs Open Liberty with the WAR, and with an application whose beans enqueue and handle jobs. */
final class Readpast implements AutoCloseable {
  /** Names a queue whose completed jobs are not kept. */
  static final String QUEUE = "bench";

  /** Names a queue that two servers process, and whose completed jobs are not kept. */
  static final String BOTH = "bench-both";

  /** Names a queue that another server processes, and whose completed jobs are not kept. */
  static final String ELSEWHERE = "bench-elsewhere";

  /** Names a queue whose completed jobs move to the history. */
  static final String KEPT = "bench-kept";

  private static final String PASSWORD = "benchmark";
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration SELDOM = Duration.ofMillis(250);
  private final JobTable table;
  private final ServerProcess server;

  Readpast(String name, TestPostgres postgres, Database database, int workers) {
    this(name, postgres, database, workers, war -> war, spec -> spec);
  }

  /**
   * Starts a server with an application and settings that differ from those of the other measures.
   */
  Readpast(
      String name,
      TestPostgres postgres,
      Database database,
      int workers,
      UnaryOperator<WebArchive> changedApplication,
      UnaryOperator<ServerSpec> changedServer) {
    table = new JobTable(postgres, database);
    Path application = BuildDirectories.run(name + "-app.war");
    application.getParent().toFile().mkdirs();
    WebArchive war =
        Deployments.application(
            name,
            Control.class,
            LeasedHandler.class,
            Orders.class,
            Progress.class,
            Sender.class,
            Tally.class,
            TogetherHandler.class,
            TransactionalHandler.class,
            Work.class,
            Work.Leased.class,
            Work.Order.class,
            Work.Together.class,
            Work.Transactional.class);
    changedApplication.apply(war).as(ZipExporter.class).exportTo(application.toFile(), true);
    ServerSpec spec =
        ServerSpec.named(name, database)
            .withApplication("readpast", BuildDirectories.war())
            .withApplication("bench", application)
            .withProperty("readpast.node.name", name)
            .withProperty("readpast.worker.concurrency", Integer.toString(workers))
            .withProperty("readpast.worker.queue-concurrency", Integer.toString(workers))
            .withAdmin(PASSWORD);
    for (String queue : List.of(QUEUE, BOTH, ELSEWHERE)) {
      spec = spec.withProperty("readpast.queue.\"" + queue + "\".retention.completed", "PT0S");
    }
    server = ServerProcess.of(changedServer.apply(spec));
    if (server instanceof LibertyServer liberty) {
      // The update trigger is disabled as in production.xml, because Liberty would otherwise check
      // twice a second whether its files have changed.
      liberty.configure(
          "still",
          "<config updateTrigger=\"disabled\"/><applicationMonitor updateTrigger=\"disabled\"/>");
    }
    server.start();
  }

  /** Creates the queues, and warms the server up until frequently run code is compiled. */
  void warm() {
    for (String queue : List.of(QUEUE, KEPT)) {
      create(queue);
    }
    for (int i = 0; i < 3; i++) {
      drain(KEPT, "bench.leased", 50_000);
      drain(QUEUE, "bench.transactional", 5_000);
      drain(QUEUE, "bench.together", 10_000);
      latency("bench.transactional", 50, 2);
      latency("bench.leased", 50, 2);
    }
  }

  /** Creates a queue that this server processes. */
  void create(String queue) {
    reset();
    control("do=singly&queue=" + queue + "&jobs=1000&threads=8");
    awaitHandled(1_000);
  }

  /**
   * Returns the number of jobs per second from the first start to the last, for jobs that were
   * enqueued before.
   */
  double drain(String queue, String type, int jobs) {
    pause(queue, true);
    table.prefill(queue, type, jobs);
    return drainPaused(queue, jobs);
  }

  /** Returns the number of jobs per second for jobs that wait in a paused queue. */
  double drainPaused(String queue, int jobs) {
    reset();
    pause(queue, false);
    double rate = awaitHandled(jobs).perSecond();
    awaitEmpty(queue);
    return rate;
  }

  void awaitEmpty(String queue) {
    Await.until(LIMIT, "no job is left", () -> table.left(queue) == 0);
  }

  /** Enqueues each job in a separate transaction of the application. */
  double enqueueSingly(int jobs, int threads) {
    return enqueue("singly", jobs, threads);
  }

  /** Enqueues each job by a call outside a transaction. */
  double enqueueAlone(int jobs, int threads) {
    return enqueue("alone", jobs, threads);
  }

  private double enqueue(String how, int jobs, int threads) {
    pause(QUEUE, true);
    double nanos =
        Double.parseDouble(
            control("do=%s&queue=%s&jobs=%d&threads=%d".formatted(how, QUEUE, jobs, threads)));
    empty();
    return jobs * 1e9 / nanos;
  }

  double enqueueInBulk(int jobs) {
    pause(QUEUE, true);
    double nanos = Double.parseDouble(control("do=bulk&queue=" + QUEUE + "&jobs=" + jobs));
    empty();
    return jobs * 1e9 / nanos;
  }

  /** Returns the delay from the enqueue to the start of the handler on the same server. */
  Peer.Latency latency(String type, int perSecond, int seconds) {
    pause(QUEUE, false);
    return latency(this, QUEUE, type, perSecond, seconds);
  }

  /**
   * Returns the delay from the enqueue on this server to the start of the handler on another
   * server.
   */
  Peer.Latency latency(Readpast other, String queue, String type, int perSecond, int seconds) {
    other.reset();
    int jobs = perSecond * seconds;
    control("do=paced&queue=%s&type=%s&jobs=%d&rate=%d".formatted(queue, type, jobs, perSecond));
    return Load.latency(other.awaitHandled(jobs).waits());
  }

  private void empty() {
    table.clear();
    pause(QUEUE, false);
  }

  void pause(String queue, boolean paused) {
    change(queue, "{\"paused\":" + paused + "}");
  }

  private void change(String queue, String settings) {
    var reply =
        new RestApi(server, "admin:" + PASSWORD).send("PATCH", "/queues/" + queue, settings);
    if (reply.status() >= 300) {
      throw new IllegalStateException(reply.toString());
    }
  }

  Seen awaitHandled(long jobs) {
    await(jobs + " jobs have run", () -> seen().jobs() >= jobs);
    return seen();
  }

  /**
   * Polls applications until their handlers have observed the expected jobs. Polling as often as
   * tests do would take 5 % of the machine for each server. The applications themselves measure the
   * time.
   */
  static void await(String what, Await.Condition seen) {
    Await.until(LIMIT, SELDOM, what, seen);
  }

  Seen seen() {
    return Seen.of(control("do=report"));
  }

  void reset() {
    control("do=reset");
  }

  /** Returns the ids of the jobs handled since a reset that requested them. */
  Set<String> ids() {
    Set<String> ids = new HashSet<>(List.of(control("do=ids").split(" ")));
    ids.remove("");
    return ids;
  }

  /** Returns the used heap after a garbage collection, in MB. */
  double heap() {
    return Double.parseDouble(control("do=heap")) / 1e6;
  }

  /** Makes each following job take the given time. */
  void pausePerJob(Duration pause) {
    control("do=pause&millis=" + pause.toMillis());
  }

  /** Changes how many jobs of a queue each server processes concurrently. */
  void concurrency(String queue, int concurrency) {
    change(queue, "{\"concurrency\":" + concurrency + "}");
  }

  JobTable table() {
    return table;
  }

  ServerProcess server() {
    return server;
  }

  String control(String query) {
    URI uri = server.uri("/bench/control?" + query);
    try {
      var answer =
          Http.CLIENT.send(
              HttpRequest.newBuilder(uri).timeout(LIMIT).POST(BodyPublishers.noBody()).build(),
              BodyHandlers.ofString(UTF_8));
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(uri + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (!server.isAlive()) {
      return;
    }
    try {
      server.stop();
    } catch (AssertionError e) {
      // The measurements are valid even if the server takes a long time to stop.
      System.out.println(e.getMessage() + "; killing it");
      server.kill();
    }
  }
}
