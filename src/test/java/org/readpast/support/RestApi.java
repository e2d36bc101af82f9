package org.readpast.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;

/** Calls the REST API of a server process as one user. */
public final class RestApi {
  private final ServerProcess server;
  private final String login;

  /**
   * @param login name and password, separated by a colon
   */
  public RestApi(ServerProcess server, String login) {
    this.server = server;
    this.login = login;
  }

  /** Holds a response; {@code body} is null if it has none. */
  public record Reply(int status, JsonStructure body) {
    public JsonObject object() {
      return body.asJsonObject();
    }

    /** Returns the detail of a problem response. */
    public String detail() {
      return object().getString("detail");
    }
  }

  public Reply get(String path) {
    return send("GET", path, "");
  }

  public Reply post(String path, String json) {
    return send("POST", path, json);
  }

  public Reply send(String method, String path, String json) {
    var request =
        HttpRequest.newBuilder(server.uri("/readpast/api" + path))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/json")
            .header(
                "Authorization",
                "Basic " + Base64.getEncoder().encodeToString(login.getBytes(UTF_8)))
            .method(method, BodyPublishers.ofString(json))
            .build();
    try {
      var answer = Http.CLIENT.send(request, BodyHandlers.ofString());
      return new Reply(answer.statusCode(), read(answer.body()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static JsonStructure read(String body) {
    if (body.isEmpty()) {
      return JsonValue.EMPTY_JSON_OBJECT;
    }
    try (var reader = Json.createReader(new StringReader(body))) {
      return reader.read();
    }
  }
}
