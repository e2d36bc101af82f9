package org.readpast.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.jspecify.annotations.Nullable;
import org.readpast.faults.Story.Work;
import org.readpast.faults.app.FaultWork;
import org.readpast.faults.app.first.FaultHandlers;
import org.readpast.faults.app.other.OtherHandlers;
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

/** Runs servers that share one durable database, each with its own network path to it. */
final class Cluster implements AutoCloseable {
  static final String LOGIN = "admin:faults";

  static final String APPLICATION = "readpast";

  private static final int MOST_STARTS = 8;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  // Connections have timeouts, so that a proxy that forwards nothing does not block a server
  // forever.
  private static final String TIMEOUTS = "?socketTimeout=60&connectTimeout=5";

  /** Identifies the path from the servers to their database. */
  enum Way {
    /** The servers connect directly to one PostgreSQL. */
    DIRECT,
    /**
     * The servers connect to one PostgreSQL through pgbouncer in transaction mode, except for
     * heartbeats and LISTEN.
     */
    POOLED,
    /** The servers connect to three PostgreSQL nodes that Patroni manages. */
    REPLICATED
  }

  private final @Nullable SmallDisks disks;
  private final @Nullable TestPostgres postgres;
  private final @Nullable PgBouncer pgbouncer;
  private final @Nullable PatroniCluster patroni;
  private final Database database;
  private final List<Member> members = new ArrayList<>();

  /**
   * Describes a server and its path to the database.
   *
   * @param name the name of the node that the server reports
   * @param way the network path, or null if it cannot be disturbed
   * @param fakeClock the clock, or null if none can be built
   */
  record Member(
      String name, ServerProcess server, @Nullable Proxy way, @Nullable FakeClock fakeClock) {
    Proxy proxy() {
      return Objects.requireNonNull(way);
    }

    FakeClock clock() {
      return Objects.requireNonNull(fakeClock);
    }

    /**
     * Returns the directory in which a file with the name of a crash point activates that crash
     * point.
     */
    Path crashPoints() {
      return crashPoints(name);
    }

    private static Path crashPoints(String name) {
      return BuildDirectories.run(name + ".crash-points");
    }

    /** Starts the server, repeatedly if jobs kill it while it starts. */
    void start() {
      for (int starts = 0; starts < MOST_STARTS; starts++) {
        launch();
        try {
          Await.until(
              START_LIMIT,
              name + " is ready, or dead",
              () -> !server.isAlive() || server.isReady());
        } catch (AssertionError e) {
          // The application has failed and does not recover. An operator would notice the failed
          // application, and restart the server.
          server.kill();
        }
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
        // On Payara, the launch fails if the server dies while it starts.
        if (server.isAlive()) {
          throw e;
        }
      }
    }
  }

  /** Prepares the servers; {@link #start()} starts them. */
  Cluster(FaultRun.Plan plan, int collector) {
    if (plan.way() == Way.REPLICATED) {
      disks = null;
      postgres = null;
      pgbouncer = null;
      patroni = new PatroniCluster();
      patroni.start();
      database = patroni.newDatabase("readpast");
    } else {
      patroni = null;
      disks = plan.has(Faults.DISK) && SmallDisks.possible() ? new SmallDisks() : null;
      postgres =
          disks == null
              ? TestPostgres.durable()
              : TestPostgres.durableOn(disks::mountIn, SmallDisks.SETTINGS);
      database = postgres.newDatabase();
      pgbouncer = plan.way() == Way.POOLED ? new PgBouncer(database) : null;
      if (pgbouncer != null) {
        pgbouncer.start();
      }
    }
    database.execute("create table fault_effect (n int not null, attempt int not null)");
    for (String server : plan.servers()) {
      members.add(member(server, plan, collector));
    }
  }

  private Member member(String server, FaultRun.Plan plan, int collector) {
    String name = "faults-" + (members.size() + 1) + "-" + server;
    Proxy proxy = patroni == null && plan.faults() > 0 ? new Proxy(port()) : null;
    FakeClock clock = plan.has(Faults.CLOCK) ? FakeClock.of(name).orElse(null) : null;
    boolean first = members.size() % plan.load().applications() == 0;
    ServerSpec spec =
        specOf(name, proxy)
            .withApplication(APPLICATION, war(name, first, plan.mutant()))
            .withAdmin(LOGIN.substring(LOGIN.indexOf(':') + 1))
            .withProperty("readpast.node.name", name)
            .withProperty("readpast.faults.collector", Integer.toString(collector))
            .withProperty("readpast.faults.crash-points", Member.crashPoints(name).toString())
            .withProperty("readpast.lease", plan.lease().toString())
            .withProperty("readpast.retention.completed", plan.kept().toString())
            .withProperty("readpast.retention.discarded", plan.kept().toString())
            // There is one worker for each end of a wave. More workers would only make each job
            // slower.
            .withProperty("readpast.queue.\"" + Producer.QUICK + "\".concurrency", "2");
    if (first) {
      spec =
          spec.withProperty("readpast.schedule.\"tick\".every", "PT1S")
              .withProperty("readpast.schedule.\"tick\".type", "faults.tick")
              .withProperty("readpast.schedule.\"tick\".queue", "ticks")
              .withProperty("readpast.schedule.\"tick\".catch-up", "ALL")
              .withProperty("readpast.schedule.\"tick\".catch-up-cap", "10000");
    }
    Duration timeout = plan.load().timeout();
    for (Work work : Work.values()) {
      String type = "readpast.type.\"" + work.type() + "\"";
      spec = spec.withProperty(type + ".backoff", "FIXED").withProperty(type + ".delay", "PT0.2S");
      if (timeout != null) {
        spec = spec.withProperty(type + ".timeout", timeout.toString());
      }
    }
    if (clock != null) {
      for (var variable : clock.environment().entrySet()) {
        spec = spec.withEnvironment(variable.getKey(), variable.getValue());
      }
    }
    return new Member(
        name,
        server.equals("payara") ? new PayaraServer(spec) : new LibertyServer(spec),
        proxy,
        clock);
  }

  /** Returns the port at which the proxies and servers can reach the database. */
  private int port() {
    return pgbouncer == null ? postgres().process().port() : pgbouncer.port();
  }

  private ServerSpec specOf(String name, @Nullable Proxy proxy) {
    if (patroni != null) {
      return ServerSpec.named(name, database)
          .withEnvironment(ServerProcess.SYSTEM_URL, PatroniCluster.systemUrl(database));
    }
    if (proxy == null) {
      return ServerSpec.named(name, database);
    }
    String past = database.url() + TIMEOUTS;
    String through =
        past.replace(":" + postgres().process().port() + "/", ":" + proxy.port() + "/");
    return pgbouncer == null
        ? ServerSpec.named(name, with(through))
        // Debian 12 contains pgbouncer 1.18, which does not support prepared statements in
        // transaction mode.
        : ServerSpec.named(name, with(through + "&prepareThreshold=0"))
            .withEnvironment(ServerProcess.SYSTEM_URL, past);
  }

  private Database with(String url) {
    return new Database(url, database.user(), database.password());
  }

  private static Path war(String name, boolean first, @Nullable Mutant mutant) {
    Path war = BuildDirectories.run(name + ".war");
    war.getParent().toFile().mkdirs();
    Class<?> handlers = first ? FaultHandlers.class : OtherHandlers.class;
    WebArchive archive =
        Deployments.readpast()
            .addPackages(false, FaultWork.class.getPackage(), handlers.getPackage());
    CrashPoints.into(archive);
    if (mutant != null) {
      mutant.into(archive);
    }
    archive.as(ZipExporter.class).exportTo(war.toFile(), true);
    return war;
  }

  void start() {
    ExecutorService twoAtATime = Executors.newFixedThreadPool(2);
    try {
      List<CompletableFuture<Void>> starts =
          members.stream()
              .map(member -> CompletableFuture.runAsync(member::start, twoAtATime))
              .toList();
      // Waits for all servers even if one fails, so that each launched server is stopped.
      CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).join();
    } finally {
      twoAtATime.shutdown();
    }
  }

  List<Member> members() {
    return members;
  }

  /** Returns true if there is one PostgreSQL, with a proxy in front of it for each server. */
  boolean isProxied() {
    return postgres != null;
  }

  boolean isPooled() {
    return pgbouncer != null;
  }

  boolean isReplicated() {
    return patroni != null;
  }

  boolean hasDisks() {
    return disks != null;
  }

  boolean hasClocks() {
    return members.stream().allMatch(member -> member.fakeClock() != null);
  }

  TestPostgres postgres() {
    return Objects.requireNonNull(postgres);
  }

  PgBouncer pgbouncer() {
    return Objects.requireNonNull(pgbouncer);
  }

  PatroniCluster patroni() {
    return Objects.requireNonNull(patroni);
  }

  SmallDisks disks() {
    return Objects.requireNonNull(disks);
  }

  /** Returns the connection data of the database, without a proxy in between. */
  Database database() {
    return database;
  }

  /** Returns a connection as superuser, to the superuser's own database. */
  Database superuser() {
    return patroni == null ? postgres().superuser() : patroni.superuser();
  }

  /** Returns the sessions of one server, or of all servers, by process id. */
  List<String> backends() {
    return TestDatabase.column(
        superuser(),
        "select pid from pg_stat_activity where datname = '"
            + database.url().replaceAll(".*/|\\?.*", "")
            + "' and application_name like 'readpast%' order by pid");
  }

  @Override
  public void close() {
    for (Member member : members) {
      if (member.server().isAlive()) {
        member.server().kill();
      }
      if (member.way() != null) {
        member.way().close();
      }
    }
    if (pgbouncer != null) {
      pgbouncer.close();
    }
    if (postgres != null && postgres.process().isRunning()) {
      postgres.process().stopImmediately();
    }
    if (disks != null) {
      disks.close();
    }
    if (patroni != null) {
      patroni.close();
    }
  }
}
