package org.readpast.benchmark;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.readpast.benchmark.app.Control;
import org.readpast.benchmark.app.Orders;
import org.readpast.benchmark.app.Progress;
import org.readpast.benchmark.app.Sender;
import org.readpast.benchmark.app.Tally;
import org.readpast.benchmark.app.Work;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.Http;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestPostgres;

/**
 * Measures the cost of a transaction over queue and business data: on one data source, on two data
 * sources for one database (one of them XA), and on two databases with XA. Each case has its own
 * application on one server, and the cases run in turn.
 */
final class Xa implements Measures {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final List<Way> WAYS =
      List.of(
          new Way("one", "one data source", "jdbc/readpast", "jdbc/readpast"),
          new Way(
              "names",
              "one database, XA and local data source",
              "jdbc/readpast-xa",
              "jdbc/readpast"),
          new Way("xa", "two databases, XA data sources", "jdbc/readpast-xa", "jdbc/business-xa"));

  private final TestPostgres postgres;
  private final int rounds;
  private final Sizes sizes;

  Xa(TestPostgres postgres, int rounds, Sizes sizes) {
    this.postgres = postgres;
    this.rounds = rounds;
    this.sizes = sizes;
  }

  /**
   * Names the data sources of the queue and of the business data. The name of the queue is also the
   * name of the application.
   */
  private record Way(String queue, String label, String jobs, String business) {
    String enqueue() {
      return label + ", enqueue and insert a row";
    }

    String work() {
      return label + ", transactional job that inserts a row";
    }
  }

  @Override
  public void take(Results results) throws Exception {
    Database database = postgres.newDatabase();
    Database business = postgres.newDatabase();
    for (Database each : List.of(database, business)) {
      each.execute("create table benchmark_order (text text not null)");
    }
    ServerSpec spec =
        ServerSpec.named("xa", database).withXa(business).withReadyPath("/health/started");
    for (Way way : WAYS) {
      spec = spec.withApplication(way.queue(), application(way));
    }
    ServerProcess server = ServerProcess.of(spec);
    JobTable table = new JobTable(postgres, database);
    server.start();
    try {
      for (Way way : WAYS) {
        introduce(server, way);
      }
      // The first round only warms up, so it does not count.
      for (int round = 0; round <= rounds; round++) {
        for (Way way : WAYS) {
          double enqueued = enqueue(server, way, sizes.of(5_000));
          table.clear();
          double worked = work(server, way, table, sizes.of(5_000));
          if (round > 0) {
            results.add(way.enqueue(), "jobs/s", enqueued);
            results.add(way.work(), "jobs/s", worked);
          }
        }
      }
    } finally {
      server.stop();
    }
  }

  private static Path application(Way way) {
    Path war = BuildDirectories.run("xa-" + way.queue() + ".war");
    war.getParent().toFile().mkdirs();
    Deployments.configured(
            Deployments.application(
                "xa-" + way.queue(),
                Control.class,
                Orders.class,
                Progress.class,
                Sender.class,
                Tally.class,
                Work.class,
                Work.Leased.class,
                Work.Order.class,
                Work.Transactional.class),
            "readpast.datasource=" + way.jobs(),
            "benchmark.business=" + way.business(),
            "readpast.worker.queues=" + way.queue(),
            "readpast.queue.\"" + way.queue() + "\".retention.completed=PT0S")
        .as(ZipExporter.class)
        .exportTo(war.toFile(), true);
    return war;
  }

  /** Enqueues to a queue that no worker processes. */
  private static double enqueue(ServerProcess server, Way way, int jobs) {
    String nanos = control(server, way, "do=orders&queue=kept&threads=8&jobs=" + jobs);
    return jobs * 1e9 / Double.parseDouble(nanos);
  }

  /** Registers the queue, because workers do not poll a queue that does not exist yet. */
  private static void introduce(ServerProcess server, Way way) {
    // The server reports that it is ready before all of its applications are.
    Await.until(
        START_LIMIT, way.queue() + " answers", () -> !control(server, way, "do=report").isEmpty());
    control(server, way, "do=orders&threads=1&jobs=1&queue=" + way.queue());
    awaitWorked(server, way, 1);
  }

  private static double work(ServerProcess server, Way way, JobTable table, int jobs) {
    control(server, way, "do=reset");
    table.prefill(way.queue(), "bench.order", jobs);
    awaitWorked(server, way, jobs);
    return Seen.of(control(server, way, "do=report")).perSecond();
  }

  private static void awaitWorked(ServerProcess server, Way way, int jobs) {
    Readpast.await(
        jobs + " jobs of " + way.queue() + " have ended",
        () -> Seen.of(control(server, way, "do=report")).jobs() >= jobs);
  }

  private static String control(ServerProcess server, Way way, String query) {
    var uri = server.uri("/" + way.queue() + "/control?" + query);
    try {
      var answer =
          Http.CLIENT.send(
              HttpRequest.newBuilder(uri).timeout(LIMIT).POST(BodyPublishers.noBody()).build(),
              BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(uri + ": " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void aim(Results results) {
    Way one = WAYS.get(0);
    for (Way way : WAYS.subList(1, WAYS.size())) {
      results.atLeast(way.enqueue(), one.enqueue(), 0.25);
      results.atLeast(way.work(), one.work(), 0.25);
    }
  }
}
