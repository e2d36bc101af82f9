package org.readpast.rest;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobDetails;
import org.readpast.admin.store.JobView;
import org.readpast.model.ContentType;

/**
 * Holds the response to a request.
 *
 * @param location the location of the created resource, or null
 * @param json the body
 */
record Answer(int status, @Nullable String location, String json) {
  private static final Jsonb JSON = JsonbBuilder.create();

  static Answer of(int status, Object body) {
    return new Answer(status, null, JSON.toJson(body));
  }

  /**
   * Creates a response with the payload and the result as they are stored; only for callers that
   * may see all fields.
   */
  static Answer of(int status, JobDetails job) {
    return of(status, job, PayloadMask.NONE);
  }

  /**
   * Creates a response with the payload and the result as they are stored, except for masked
   * fields.
   */
  static Answer of(int status, JobDetails job, PayloadMask mask) {
    String json = JSON.toJson(JobAnswer.of(job));
    String result = job.job().result();
    String shown = payload(job.job(), mask);
    if (result != null) {
      shown += ",\"result\":" + mask.mask(result);
    }
    String masked = mask.hit().isEmpty() ? "" : ",\"masked\":" + JSON.toJson(mask.hit());
    return new Answer(status, null, json.substring(0, json.length() - 1) + masked + shown + "}");
  }

  private static String payload(JobView job, PayloadMask mask) {
    String payload = job.payload();
    if (payload == null) {
      return ",\"payloadKept\":false";
    }
    return ",\"payload\":"
        + (ContentType.isJsonText(job.contentType())
            ? JSON.toJson(mask.maskText(new JsonText(payload).string()))
            : mask.mask(payload));
  }

  Answer at(String createdAt) {
    return new Answer(status, createdAt, json);
  }

  Response response() {
    Response.ResponseBuilder response =
        Response.status(status)
            .type(MediaType.APPLICATION_JSON)
            .entity(json.getBytes(StandardCharsets.UTF_8));
    return location == null ? response.build() : response.location(URI.create(location)).build();
  }

  /** Returns the response in the form that is stored under an idempotency key. */
  String kept() {
    return status + "\n" + (location == null ? "" : location) + "\n" + json;
  }

  static Answer ofKept(String kept) {
    String[] parts = kept.split("\n", 3);
    return new Answer(Integer.parseInt(parts[0]), parts[1].isEmpty() ? null : parts[1], parts[2]);
  }
}
