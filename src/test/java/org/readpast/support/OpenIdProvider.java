package org.readpast.support;

import jakarta.json.Json;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * Runs Open Liberty as an OpenID provider. The address of the provider is 127.0.0.1, so that a
 * browser considers it a different site than the servers under test, whose address is localhost.
 */
public final class OpenIdProvider {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private static final String LOGIN =
      """
      <!doctype html>
      <title>The provider</title>
      <form action="/oidc/j_security_check" method="post">
        <input name="j_username"><input name="j_password" type="password">
        <button type="submit">Sign in</button>
      </form>
      """;

  private final int port = Ports.free();
  private final Path directory = BuildDirectories.run("openid-" + ProcessHandle.current().pid());
  private Process process;

  /**
   * Starts the provider for the application at the given address, without waiting until it is
   * ready.
   */
  public static OpenIdProvider launch(URI application) {
    OpenIdProvider provider = new OpenIdProvider();
    provider.start(application.toString().replaceFirst("/$", ""));
    Runtime.getRuntime().addShutdownHook(new Thread(provider::stop));
    return provider;
  }

  private void start(String application) {
    Path tools = BuildDirectories.servers().resolve("wlp/bin/tools");
    Path server = directory.resolve("servers/provider");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-javaagent:" + tools.resolve("ws-javaagent.jar"),
            "@" + BuildDirectories.servers().resolve("wlp/lib/platform/java/java9.options"),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-jar",
            tools.resolve("ws-server.jar").toString(),
            "provider");
    try {
      Files.createDirectories(server);
      try (var configuration = getClass().getResourceAsStream("/openid-provider.xml")) {
        Files.copy(
            configuration, server.resolve("server.xml"), StandardCopyOption.REPLACE_EXISTING);
      }
      Files.writeString(
          server.resolve("bootstrap.properties"),
          "provider.port=" + port + "\nclient.root=" + application + "\n");
      Files.createDirectories(server.resolve("apps/login.war"));
      Files.writeString(server.resolve("apps/login.war/index.html"), LOGIN);
      ProcessBuilder builder = new ProcessBuilder(command).directory(server.toFile());
      builder.environment().put("WLP_USER_DIR", directory.toString());
      builder.redirectErrorStream(true);
      builder.redirectOutput(directory.resolve("console.log").toFile());
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String issuer() {
    return "http://127.0.0.1:" + port + "/oidc/endpoint/OP";
  }

  public void awaitReady() {
    URI document = URI.create(issuer() + "/.well-known/openid-configuration");
    Await.until(
        Duration.ofMinutes(2),
        "the OpenID provider is ready",
        () ->
            HTTP.send(HttpRequest.newBuilder(document).build(), BodyHandlers.discarding())
                    .statusCode()
                == 200);
  }

  /** Returns an access token of a user, for a client with the given secret. */
  public String accessToken(String client, String secret, String user, String password) {
    String form =
        "grant_type=password&scope=openid%20profile&username="
            + user
            + "&password="
            + URLEncoder.encode(password, StandardCharsets.UTF_8);
    String login =
        Base64.getEncoder()
            .encodeToString((client + ":" + secret).getBytes(StandardCharsets.UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(issuer() + "/token"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Authorization", "Basic " + login)
            .POST(BodyPublishers.ofString(form))
            .build();
    try {
      String answer = HTTP.send(request, BodyHandlers.ofString()).body();
      try (var reader = Json.createReader(new StringReader(answer))) {
        return reader.readObject().getString("access_token");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Suspends the provider: connections to it are accepted, but get no response. */
  public void suspend() {
    signal("STOP");
  }

  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    Command.signal(name, Long.toString(process.pid()));
  }

  public void stop() {
    process.destroyForcibly();
  }
}
