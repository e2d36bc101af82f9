package org.readpast.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.readpast.faults.app.FaultHandlers;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Database;
import org.readpast.support.Deployments;
import org.readpast.support.LibertyServer;
import org.readpast.support.PayaraServer;
import org.readpast.support.ServerProcess;
import org.readpast.support.ServerSpec;
import org.readpast.support.TestDatabase;
import org.readpast.support.TestPostgres;

/** Two servers, each with its own way to one durable database. */
final class Cluster implements AutoCloseable {
  static final String LOGIN = "admin:faults";

  static final String APPLICATION = "readpast";

  private static final int MOST_STARTS = 8;

  private final TestPostgres postgres = TestPostgres.durable();
  private final Database database = postgres.newDatabase();
  private final List<Member> members = new ArrayList<>();

  /**
   * A server and its way to the database.
   *
   * @param name which the server reports as its own
   */
  record Member(String name, ServerProcess server, Proxy proxy) {
    /** Where a file of its name makes a crash point deadly. */
    Path crashPoints() {
      return crashPoints(name);
    }

    private static Path crashPoints(String name) {
      return BuildDirectories.run(name + ".crash-points");
    }

    /** Starts it, again and again where jobs kill it meanwhile. */
    void start() {
      for (int starts = 0; starts < MOST_STARTS; starts++) {
        launch();
        Await.until(
            Duration.ofMinutes(3),
            name + " ready, or dead again",
            () -> !server.isAlive() || server.isReady());
        if (server.isAlive()) {
          return;
        }
      }
      throw new IllegalStateException(name + " does not stay up");
    }

    private void launch() {
      try {
        if (!server.isAlive()) {
          server.launch();
        }
      } catch (IllegalStateException e) {
        // A server that dies while it starts has its start fail, on Payara.
        if (server.isAlive()) {
          throw e;
        }
      }
    }
  }

  /**
   * Prepares them; {@link #start()} starts them.
   *
   * @param servers such as {@code liberty}, {@code payara}
   * @param lease how long a silent node counts as alive
   * @param mutant a bug that all servers have, or null
   */
  Cluster(List<String> servers, Duration lease, int collector, @Nullable Mutant mutant) {
    database.execute("create table fault_effect (n int not null, attempt int not null)");
    for (String server : servers) {
      String name = "faults-" + (members.size() + 1) + "-" + server;
      Proxy proxy = new Proxy(postgres.process().port());
      ServerSpec spec =
          ServerSpec.named(name, through(proxy))
              .withApplication(APPLICATION, war(name, mutant))
              .withAdmin(LOGIN.substring(LOGIN.indexOf(':') + 1))
              .withProperty("readpast.node.name", name)
              .withProperty("readpast.faults.collector", Integer.toString(collector))
              .withProperty("readpast.faults.crash-points", Member.crashPoints(name).toString())
              .withProperty("readpast.lease", lease.toString())
              .withProperty("readpast.retention.discarded", "P90D")
              .withProperty("readpast.schedule.\"tick\".every", "PT1S")
              .withProperty("readpast.schedule.\"tick\".type", "faults.tick")
              .withProperty("readpast.schedule.\"tick\".queue", "ticks")
              .withProperty("readpast.schedule.\"tick\".catch-up", "ALL")
              .withProperty("readpast.schedule.\"tick\".catch-up-cap", "10000");
      for (String type : List.of("faults.transactional", "faults.leased")) {
        spec =
            spec.withProperty("readpast.type.\"" + type + "\".backoff", "FIXED")
                .withProperty("readpast.type.\"" + type + "\".delay", "PT0.2S");
      }
      members.add(
          new Member(
              name,
              server.equals("payara") ? new PayaraServer(spec) : new LibertyServer(spec),
              proxy));
    }
  }

  private Database through(Proxy proxy) {
    return new Database(
        database.url().replace(":" + postgres.process().port() + "/", ":" + proxy.port() + "/")
            // A way that swallows everything must not hold a server up for ever.
            + "?socketTimeout=60&connectTimeout=5",
        database.user(),
        database.password());
  }

  private static Path war(String name, @Nullable Mutant mutant) {
    Path war = BuildDirectories.run(name + ".war");
    war.getParent().toFile().mkdirs();
    WebArchive archive = Deployments.readpast().addPackage(FaultHandlers.class.getPackage());
    CrashPoints.into(archive);
    if (mutant != null) {
      mutant.into(archive);
    }
    archive.as(ZipExporter.class).exportTo(war.toFile(), true);
    return war;
  }

  void start() {
    List<CompletableFuture<Void>> starts =
        members.stream().map(member -> CompletableFuture.runAsync(member::start)).toList();
    // All of them, also when one fails: what has been launched is to be ended.
    CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
  }

  List<Member> members() {
    return members;
  }

  TestPostgres postgres() {
    return postgres;
  }

  /** The database, past the proxies. */
  Database database() {
    return database;
  }

  /** As the server's own superuser, in its own database. */
  Database superuser() {
    return postgres.superuser();
  }

  /** Sessions of one server, or of all, by process id. */
  List<String> backends() {
    return TestDatabase.column(
        superuser(),
        "select pid from pg_stat_activity where datname = '"
            + database.url().substring(database.url().lastIndexOf('/') + 1)
            + "' and application_name like 'readpast%' order by pid");
  }

  @Override
  public void close() {
    for (Member member : members) {
      if (member.server().isAlive()) {
        member.server().kill();
      }
      member.proxy().close();
    }
    if (postgres.process().isRunning()) {
      postgres.process().stopImmediately();
    }
  }
}
