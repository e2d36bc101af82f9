package org.readpast.rest.http;

import jakarta.json.Json;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Represents an error as a problem by RFC 9457. */
public record Problem(
    String type, String title, int status, String detail, @Nullable String instance) {

  /** Names the media type of every error response. */
  public static final String MEDIA_TYPE = "application/problem+json";

  public static Problem of(int status, String detail, @Nullable String instance) {
    Response.Status known = Response.Status.fromStatusCode(status);
    String title =
        status == 422
            ? "Unprocessable Content"
            : known == null ? "Error " + status : known.getReasonPhrase();
    return new Problem("about:blank", title, status, detail, instance);
  }

  public byte[] json() {
    var json =
        Json.createObjectBuilder()
            .add("type", type)
            .add("title", title)
            .add("status", status)
            .add("detail", detail);
    if (instance != null) {
      json.add("instance", instance);
    }
    return json.build().toString().getBytes(StandardCharsets.UTF_8);
  }
}
