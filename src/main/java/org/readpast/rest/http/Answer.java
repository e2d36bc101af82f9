package org.readpast.rest.http;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Holds the response to a request.
 *
 * @param location the location of the created resource, or null
 * @param json the body
 */
public record Answer(int status, @Nullable String location, String json) {
  private static final Jsonb JSON = JsonbBuilder.create();

  public static Answer of(int status, Object body) {
    return new Answer(status, null, toJson(body));
  }

  /** Returns the JSON of a body or of a part of one. */
  public static String toJson(Object value) {
    return JSON.toJson(value);
  }

  public Answer at(String createdAt) {
    return new Answer(status, createdAt, json);
  }

  public Response response() {
    Response.ResponseBuilder response =
        Response.status(status)
            .type(MediaType.APPLICATION_JSON)
            .entity(json.getBytes(StandardCharsets.UTF_8));
    return location == null ? response.build() : response.location(URI.create(location)).build();
  }

  /** Returns the response in the form that is stored under an idempotency key. */
  public String kept() {
    return status + "\n" + (location == null ? "" : location) + "\n" + json;
  }

  public static Answer ofKept(String kept) {
    String[] parts = kept.split("\n", 3);
    return new Answer(Integer.parseInt(parts[0]), parts[1].isEmpty() ? null : parts[1], parts[2]);
  }
}
