package org.readpast.faults;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.readpast.support.Await;
import org.readpast.support.BuildDirectories;
import org.readpast.support.Command;
import org.readpast.support.Database;
import org.readpast.support.DirectoryTree;
import org.readpast.support.Ports;

/**
 * Runs three PostgreSQL nodes that are configured by {@code server-config/patroni/patroni.yml}, and
 * the etcd that coordinates them, on free ports of the loopback interface. {@link #close} stops and
 * removes all nodes.
 */
public final class PatroniCluster implements AutoCloseable {
  // The timeouts are those that production.md recommends.
  private static final String TIMEOUTS = "&connectTimeout=3&tcpKeepAlive=true";
  private static final String BUSINESS = TIMEOUTS + "&socketTimeout=20";
  private static final String SYSTEM = TIMEOUTS + "&socketTimeout=5";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String PASSWORD = "patroni-test";
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final Path directory;
  private final int etcdPort = Ports.free();
  private final List<Node> nodes;
  private final Map<String, Process> launched = new ConcurrentHashMap<>();

  /** Represents a simulated machine with Patroni and its PostgreSQL. */
  private record Node(String name, int port, int restPort, Path data) {}

  public PatroniCluster() {
    try {
      Files.createDirectories(BuildDirectories.run("."));
      directory = Files.createTempDirectory(BuildDirectories.run("."), "patroni-").normalize();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    nodes =
        IntStream.rangeClosed(1, 3)
            .mapToObj(
                n ->
                    new Node("node" + n, Ports.free(), Ports.free(), directory.resolve("node" + n)))
            .toList();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts all nodes, and waits for a leader, a synchronous standby and one more standby. */
  public void start() {
    String client = "http://127.0.0.1:" + etcdPort;
    String peer = "http://127.0.0.1:" + Ports.free();
    launch(
        "etcd",
        List.of(
            Tools.get("etcd").toString(),
            "--name=etcd",
            "--data-dir=" + directory.resolve("etcd"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=etcd=" + peer),
        Map.of());
    Await.until(
        LIMIT,
        "etcd is ready (see " + log("etcd") + ")",
        () -> get(client + "/health").contains("true"));
    nodes.forEach(node -> start(node.name()));
    awaitComplete();
    superuser().execute("create role readpast login password '" + PASSWORD + "'");
  }

  /** Starts a node again after it was killed. */
  public void start(String name) {
    Node node = node(name);
    launch(
        name,
        Tools.notAsRoot(
            Tools.get("patroni"),
            BuildDirectories.serverConfig().resolve("patroni/patroni.yml").toString()),
        environment(node));
  }

  private Map<String, String> environment(Node node) {
    Map<String, String> environment = new HashMap<>();
    String rest = "127.0.0.1:" + node.restPort();
    String postgresql = "127.0.0.1:" + node.port();
    environment.put("NAME", node.name());
    environment.put("ETCD3_HOSTS", "127.0.0.1:" + etcdPort);
    environment.put("RESTAPI_LISTEN", rest);
    environment.put("RESTAPI_CONNECT_ADDRESS", rest);
    environment.put("RESTAPI_USERNAME", "patroni");
    environment.put("RESTAPI_PASSWORD", PASSWORD);
    environment.put("POSTGRESQL_LISTEN", postgresql);
    environment.put("POSTGRESQL_CONNECT_ADDRESS", postgresql);
    environment.put("POSTGRESQL_DATA_DIR", node.data().toString());
    environment.put(
        "POSTGRESQL_BIN_DIR",
        Tools.directoryOf("initdb", "pg_basebackup", "pg_controldata", "pg_rewind").toString());
    environment.put("POSTGRESQL_PGPASS", directory.resolve(node.name() + ".pgpass").toString());
    environment.put("SUPERUSER_USERNAME", "postgres");
    environment.put("SUPERUSER_PASSWORD", PASSWORD);
    environment.put("REPLICATION_USERNAME", "replicator");
    environment.put("REPLICATION_PASSWORD", PASSWORD);
    return environment.entrySet().stream()
        .collect(Collectors.toMap(entry -> "PATRONI_" + entry.getKey(), Map.Entry::getValue));
  }

  /**
   * Waits until all three nodes are running, and one of the standbys has all committed
   * transactions.
   */
  public void awaitComplete() {
    Await.until(
        LIMIT,
        "a leader and two standbys run (see " + log(nodes.get(0).name()) + ")",
        () -> {
          launched.forEach(PatroniCluster::requireAlive);
          var roles = roles();
          return roles.containsValue("leader")
              && roles.containsValue("sync_standby")
              && roles.containsValue("replica");
        });
  }

  private static void requireAlive(String name, Process process) {
    if (!process.isAlive()) {
      throw new AssertionError(name + " has ended; see " + log(name));
    }
  }

  /** Returns the name of the node that currently accepts writes. */
  public String leader() {
    return holder("leader");
  }

  /**
   * Returns the name of the node that has all committed transactions, and will be the next leader.
   */
  public String synchronousStandby() {
    return holder("sync_standby");
  }

  private String holder(String role) {
    return roles().entrySet().stream()
        .filter(entry -> entry.getValue().equals(role))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + role + " in " + roles()));
  }

  /** Returns the roles of the running nodes, as reported by the first node that responds. */
  private Map<String, String> roles() {
    for (Node node : nodes) {
      try {
        JsonObject cluster = read(get("http://127.0.0.1:" + node.restPort() + "/cluster"));
        return cluster.getJsonArray("members").getValuesAs(JsonObject.class).stream()
            .filter(
                member -> List.of("running", "streaming").contains(member.getString("state", "")))
            .collect(
                Collectors.toMap(
                    member -> member.getString("name"), member -> member.getString("role")));
      } catch (IOException e) {
        // If a node does not respond, the next one may.
      }
    }
    throw new IllegalStateException("no node of " + directory + " answers");
  }

  /**
   * Sends SIGKILL to all processes of the leader, as if its machine lost power. Returns the name of
   * the leader.
   */
  public String killLeader() {
    String leader = leader();
    kill(leader);
    return leader;
  }

  /**
   * Performs {@code patronictl switchover}: the leader steps down cleanly. Returns the name of the
   * leader.
   */
  public String switchOver() {
    String leader = leader();
    String login =
        Base64.getEncoder()
            .encodeToString(("patroni:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + node(leader).restPort() + "/switchover"))
            .header("Authorization", "Basic " + login)
            .POST(BodyPublishers.ofString("{\"leader\": \"" + leader + "\"}"))
            .build();
    try {
      var answer = HTTP.send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException("no switchover: " + answer.body());
      }
      return leader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sends SIGSTOP to all processes of the leader. The connections of the leader stay open, but no
   * process responds on them, as on a machine that is cut off from the network. Returns the name of
   * the leader.
   */
  public String freezeLeader() {
    String leader = leader();
    signal("STOP", node(leader));
    return leader;
  }

  /**
   * Restarts a node like a watchdog restarts a machine that hangs, such as after {@link
   * #freezeLeader}.
   */
  public void restart(String name) {
    kill(name);
    start(name);
  }

  private void kill(String name) {
    Node node = node(name);
    processes(node).forEach(ProcessHandle::destroyForcibly);
    Await.until(LIMIT, name + " has ended", () -> processes(node).findAny().isEmpty());
  }

  /**
   * Sends SIGCONT after {@link #freezeLeader}, as on a machine without a watchdog. Patroni 3.0.2
   * may then take its lock back from the next leader, and lose what that leader has acknowledged
   * (patroni/patroni#2689).
   */
  public void thaw(String name) {
    signal("CONT", node(name));
  }

  private void signal(String signal, Node node) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
    // Patroni is stopped first, because it must not notice that its PostgreSQL has stopped.
    processes(node).map(process -> Long.toString(process.pid())).forEach(command::add);
    Command.run(command);
  }

  /** Creates a database that is owned by the role {@code readpast}, for business data. */
  public Database newDatabase(String name) {
    superuser().execute("create database " + name + " owner readpast");
    return database(name, "readpast", PASSWORD, BUSINESS);
  }

  /** Returns the URL of the system data source for the given database. */
  static String systemUrl(Database business) {
    return business.url().replace(BUSINESS, SYSTEM);
  }

  public Database superuser() {
    return database("postgres", "postgres", PASSWORD, "");
  }

  private Database database(String name, String user, String password, String parameters) {
    String hosts =
        nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
    return new Database(
        "jdbc:postgresql://" + hosts + "/" + name + "?targetServerType=primary" + parameters,
        user,
        password);
  }

  @Override
  public synchronized void close() {
    try {
      nodes.stream().flatMap(this::processes).forEach(ProcessHandle::destroyForcibly);
      launched.values().forEach(Process::destroyForcibly);
      Await.until(
          LIMIT,
          "the cluster has ended",
          () -> nodes.stream().flatMap(this::processes).findAny().isEmpty());
      if (Files.exists(directory)) {
        DirectoryTree.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process of Patroni first, because Patroni would restart the others. */
  private Stream<ProcessHandle> processes(Node node) {
    return Stream.concat(
            Stream.ofNullable(launched.get(node.name())).map(Process::toHandle), postmaster(node))
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .filter(ProcessHandle::isAlive);
  }

  private static Stream<ProcessHandle> postmaster(Node node) {
    try {
      Path file = node.data().resolve("postmaster.pid");
      long pid = Long.parseLong(Files.readAllLines(file).get(0).trim());
      String data = node.data().toString();
      // The start time is compared, because another process may have the same number by now.
      return ProcessHandle.of(pid).stream()
          .filter(process -> process.info().commandLine().orElse("").contains(data));
    } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
      return Stream.empty();
    }
  }

  /** Returns a file outside the directory that is deleted at the end. */
  private static Path log(String name) {
    return BuildDirectories.run("patroni-" + name + ".log");
  }

  private Node node(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }

  private void launch(String name, List<String> command, Map<String, String> environment) {
    Path log = log(name);
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(Redirect.to(log.toFile()));
    try {
      launched.put(name, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String get(String address) throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(2)).build();
    try {
      return HTTP.send(request, BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static JsonObject read(String json) {
    try (var reader = Json.createReader(new StringReader(json))) {
      return reader.readObject();
    }
  }
}
