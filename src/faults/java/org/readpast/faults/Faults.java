package org.readpast.faults;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.faults.Cluster.Member;
import org.readpast.faults.Fault.Hit;
import org.readpast.support.Await;
import org.readpast.support.Command;
import org.readpast.support.TestDatabase;

/** Defines the kinds of faults. */
final class Faults {
  /** The server dies at one of the engine's own steps. */
  static final String CRASH = Story.Injected.KILL + " at a step";

  static final String RESTART = "database restarted";
  static final String LEADER_KILLED = "leader killed";
  static final String LEADER_CHANGED = "leader changed";
  static final String FROZEN = "server frozen";
  static final String CLOCK = "clock stepped";
  static final String DISK = "disk full";

  private static final System.Logger LOG = System.getLogger(Faults.class.getName());
  private static final List<String> STATES =
      List.of("40001", "40P01", "55P03", "57P01", "53300", "08006");
  private static final AtomicInteger RAISING = new AtomicInteger();

  private Faults() {}

  /**
   * Returns all faults that this cluster supports.
   *
   * @param lease the lease of the nodes; a frozen node is declared dead after its lease
   */
  static List<Fault> possible(Cluster cluster, Duration lease) {
    return all(lease).stream().filter(fault -> fault.possible().test(cluster)).toList();
  }

  private static List<Fault> all(Duration lease) {
    return List.of(
        of(Story.Injected.KILL, 5, Faults::kill),
        of(CRASH, 3, Faults::crash),
        of(FROZEN, 1, (cluster, dice) -> freeze(cluster, dice, lease)),
        of("application redeployed", 2, Faults::redeploy),
        new Fault(CLOCK, 2, Cluster::hasClocks, Faults::stepClock),
        of("backend terminated", 9, Faults::terminateBackend),
        of(Story.Injected.HORIZON, 2, Faults::holdHorizon),
        of("errors raised", 4, Faults::raiseErrors),
        new Fault(RESTART, 2, Cluster::isProxied, Faults::restartDatabase),
        new Fault("backend frozen", 3, Cluster::isProxied, Faults::freezeBackend),
        new Fault("connections reset", 9, Cluster::isProxied, Faults::reset),
        new Fault("black hole", 2, Cluster::isProxied, Faults::swallow),
        new Fault("slow network", 3, Cluster::isProxied, Faults::delay),
        new Fault("cut after commit", 6, Cluster::isProxied, Faults::cutAfterCommit),
        new Fault("connections exhausted", 2, Cluster::isProxied, Faults::exhaustConnections),
        new Fault(DISK, 2, Cluster::hasDisks, Faults::fillDisk),
        new Fault("pooler killed", 7, Cluster::isPooled, Faults::killPooler),
        new Fault("pooler paused", 7, Cluster::isPooled, Faults::pausePooler),
        new Fault(LEADER_KILLED, 5, Cluster::isReplicated, Faults::killLeader),
        new Fault(LEADER_CHANGED, 2, Cluster::isReplicated, Faults::changeLeader));
  }

  private static Fault of(String kind, int weight, Fault.Happening happening) {
    return new Fault(kind, weight, cluster -> true, happening);
  }

  private static Member any(Cluster cluster, Random dice) {
    return cluster.members().get(dice.nextInt(cluster.members().size()));
  }

  private static void pass(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  private static Hit kill(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    synchronized (member.server()) {
      Hit hit = Hit.now(member.name());
      if (member.server().isAlive()) {
        member.server().kill();
      }
      pass(dice.nextInt(6_000));
      member.start();
      return hit;
    }
  }

  /** Kills a server at a randomly chosen step of the engine, when it next reaches that step. */
  private static Hit crash(Cluster cluster, Random dice) throws Exception {
    Member member = any(cluster, dice);
    List<String> points = CrashPoints.all();
    boolean died = false;
    Files.createDirectories(member.crashPoints());
    synchronized (member.server()) {
      // The time at which the server was last known to be alive. Jobs that begin while the crash
      // point is active may die with the server.
      long seen = Recorder.now();
      for (int tries = 0; tries < 10 && member.server().isAlive(); tries++) {
        Path point = member.crashPoints().resolve(points.get(dice.nextInt(points.size())));
        Files.createFile(point);
        for (int i = 0; i < 20 && member.server().isAlive(); i++) {
          seen = Recorder.now();
          pass(100);
        }
        if (!Files.deleteIfExists(point)) {
          LOG.log(Level.INFO, "{0} has died at {1}", member.name(), point.getFileName());
          died = true;
          // The process is about to exit.
          pass(100);
        }
      }
      member.start();
      return require(died, new Hit(member.name(), seen));
    }
  }

  /** Returns the target of the fault, or fails if the fault had no effect. */
  private static Hit require(boolean cameOff, Hit hit) {
    if (!cameOff) {
      throw new IllegalStateException("no server reached the fault");
    }
    return hit;
  }

  private static Hit freeze(Cluster cluster, Random dice, Duration lease)
      throws InterruptedException {
    Member member = any(cluster, dice);
    synchronized (member.server()) {
      Hit hit = Hit.now(member.name());
      if (!member.server().isAlive()) {
        return hit;
      }
      member.server().freeze();
      // Sometimes the server returns while other servers already process its jobs.
      long leases = dice.nextBoolean() ? 3 : 1;
      pass(leases * lease.toMillis() + dice.nextInt((int) lease.toMillis()));
      member.server().thaw();
      return hit;
    }
  }

  private static Hit redeploy(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    synchronized (member.server()) {
      Hit hit = Hit.now(member.name());
      if (member.server().isAlive()) {
        member.server().undeploy(Cluster.APPLICATION);
        pass(dice.nextInt(3_000));
        member.server().deploy(Cluster.APPLICATION);
        member.start();
      }
      return hit;
    }
  }

  private static Hit restartDatabase(Cluster cluster, Random dice) throws InterruptedException {
    synchronized (cluster.postgres()) {
      Hit hit = Hit.now(null);
      cluster.postgres().process().stopImmediately();
      pass(dice.nextInt(5_000));
      cluster.postgres().process().start();
      return hit;
    }
  }

  /** Fills the disk of the data or of the WAL; PostgreSQL may crash. */
  private static Hit fillDisk(Cluster cluster, Random dice) throws Exception {
    Path disk = cluster.disks().all().get(dice.nextInt(cluster.disks().all().size()));
    synchronized (cluster.postgres()) {
      Hit hit = Hit.now(null);
      SmallDisks.fill(disk);
      try {
        if (dice.nextBoolean()) {
          // PostgreSQL now needs another WAL segment.
          TestDatabase.column(cluster.superuser(), "select pg_switch_wal()");
        }
        pass(1_000 + dice.nextInt(5_000));
      } catch (IllegalStateException e) {
        LOG.log(Level.INFO, "the full disk has ended PostgreSQL");
      } finally {
        SmallDisks.empty(disk);
        awaitDatabase(cluster);
      }
      return hit;
    }
  }

  /**
   * Waits until the database is available. The database recovers by itself, or is restarted if that
   * fails.
   */
  private static void awaitDatabase(Cluster cluster) {
    Await.until(
        Duration.ofMinutes(1),
        "the database is available",
        () -> {
          if (!cluster.postgres().process().isRunning()) {
            cluster.postgres().process().start();
          }
          return TestDatabase.count(cluster.superuser(), "select 1") == 1;
        });
  }

  private static Hit stepClock(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    Duration step = Duration.ofMinutes(5);
    member.clock().goWrongBy(dice.nextBoolean() ? step : step.negated());
    try {
      pass(2_000 + dice.nextInt(6_000));
    } finally {
      member.clock().goWrongBy(Duration.ZERO);
    }
    return Hit.of(member);
  }

  private static Hit killPooler(Cluster cluster, Random dice) throws InterruptedException {
    synchronized (cluster.pgbouncer()) {
      Hit hit = Hit.now(null);
      cluster.pgbouncer().kill();
      pass(dice.nextInt(4_000));
      cluster.pgbouncer().start();
      return hit;
    }
  }

  private static Hit pausePooler(Cluster cluster, Random dice) throws InterruptedException {
    synchronized (cluster.pgbouncer()) {
      Hit hit = Hit.now(null);
      cluster.pgbouncer().pause();
      pass(1_000 + dice.nextInt(5_000));
      cluster.pgbouncer().resume();
      return hit;
    }
  }

  private static Hit killLeader(Cluster cluster, Random dice) throws InterruptedException {
    String lost = cluster.patroni().killLeader();
    pass(dice.nextInt(5_000));
    Await.until(
        Duration.ofMinutes(2),
        "there is another leader",
        () -> !cluster.patroni().leader().equals(lost));
    cluster.patroni().start(lost);
    cluster.patroni().awaitComplete();
    return Hit.ALL;
  }

  private static Hit changeLeader(Cluster cluster, Random dice) {
    String former = cluster.patroni().switchOver();
    Await.until(
        Duration.ofMinutes(2),
        "there is another leader",
        () -> !cluster.patroni().leader().equals(former));
    cluster.patroni().awaitComplete();
    return Hit.ALL;
  }

  private static Hit terminateBackend(Cluster cluster, Random dice) {
    List<String> backends = cluster.backends();
    if (!backends.isEmpty()) {
      TestDatabase.column(
          cluster.superuser(),
          "select pg_terminate_backend(" + backends.get(dice.nextInt(backends.size())) + ")");
    }
    return Hit.ALL;
  }

  private static Hit freezeBackend(Cluster cluster, Random dice) throws InterruptedException {
    List<String> backends = cluster.backends();
    if (!backends.isEmpty()) {
      String backend = backends.get(dice.nextInt(backends.size()));
      signal("STOP", backend);
      try {
        pass(1_000 + dice.nextInt(6_000));
      } finally {
        signal("CONT", backend);
      }
    }
    return Hit.ALL;
  }

  private static void signal(String name, String process) {
    // The session may have ended in the meantime.
    Command.run(List.of("kill", "-" + name, process), Path.of("."), Map.of());
  }

  private static Hit reset(Cluster cluster, Random dice) {
    Member member = any(cluster, dice);
    member.proxy().reset();
    return Hit.of(member);
  }

  private static Hit swallow(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    member.proxy().swallow(true);
    try {
      pass(2_000 + dice.nextInt(10_000));
    } finally {
      member.proxy().swallow(false);
    }
    return Hit.of(member);
  }

  private static Hit delay(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    member.proxy().delay(20 + dice.nextInt(200));
    try {
      pass(4_000);
    } finally {
      member.proxy().delay(0);
    }
    return Hit.of(member);
  }

  private static Hit cutAfterCommit(Cluster cluster, Random dice) throws InterruptedException {
    Member member = any(cluster, dice);
    member.proxy().cutAfterCommit(1 + dice.nextInt(5));
    pass(2_000);
    return require(member.proxy().stopCutting() > 0, Hit.of(member));
  }

  private static Hit exhaustConnections(Cluster cluster, Random dice) throws InterruptedException {
    List<Connection> held = new ArrayList<>();
    try {
      while (held.size() < 1_000) {
        held.add(cluster.database().connect());
      }
    } catch (SQLException e) {
      // This exception is expected, because no connection is left.
    }
    try {
      // If a server loses a connection, it cannot open another one.
      terminateBackend(cluster, dice);
      pass(1_000 + dice.nextInt(4_000));
    } finally {
      held.forEach(Faults::close);
    }
    return Hit.ALL;
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Hit holdHorizon(Cluster cluster, Random dice)
      throws SQLException, InterruptedException {
    try (Connection connection = cluster.database().connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select count(*) from readpast_type");
      pass(5_000 + dice.nextInt(5_000));
    }
    return Hit.ALL;
  }

  /**
   * Makes the database refuse a part of all changes, with an SQLState after which a retry is
   * appropriate.
   */
  private static Hit raiseErrors(Cluster cluster, Random dice)
      throws SQLException, InterruptedException {
    String state = STATES.get(dice.nextInt(STATES.size()));
    // Another lane may inject the same fault at the same time.
    String name = "fault_raise_" + RAISING.incrementAndGet();
    try (Connection connection = cluster.database().connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set lock_timeout = '5s'");
      statement.execute(
          """
          create function %s() returns trigger language plpgsql as $$
          begin
            if random() < 0.05 then
              raise exception 'raised on purpose' using errcode = '%s';
            end if;
            return case when tg_op = 'DELETE' then old else new end;
          end $$"""
              .formatted(name, state));
      statement.execute(
          """
          create trigger %s before insert or update or delete on readpast_job
          for each row execute function %s()"""
              .formatted(name, name));
      pass(3_000);
    } finally {
      Await.until(
          Duration.ofMinutes(1),
          "the errors have ended",
          () -> {
            cluster.database().execute("drop function if exists " + name + "() cascade");
            return true;
          });
    }
    return Hit.ALL;
  }
}
