package org.readpast.rest.jobs;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Limits;
import org.readpast.model.Names;
import org.readpast.rest.http.Body;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.RequestException;

/** Reads a request that changes an existing job. */
public final class JobEdit {
  private static final List<String> PAYLOAD = List.of("payload", "payloadText");

  private JobEdit() {}

  /**
   * Returns the new payload, which is given as JSON or as a string that contains JSON. With a
   * string, the client need not parse numbers, which it might round.
   *
   * @return the new payload, or null to keep the old one
   */
  static @Nullable String payload(Body body, Limits limits) {
    if (body.bytes().length == 0) {
      return null;
    }
    Fields fields = Fields.of(body.json(), "the body", PAYLOAD);
    if (fields.has("payload") && fields.has("payloadText")) {
      throw RequestException.malformed("specify either payload or payloadText");
    }
    JsonText payload = fields.get("payload");
    if (fields.has("payloadText")) {
      payload = parsed(fields.required("payloadText", "a JSON value as a string"));
    } else if (!fields.has("payload")) {
      return null;
    }
    if (payload == null || payload.isNull()) {
      throw RequestException.malformed(
          "the payload is null; specify another JSON value, such as {}");
    }
    return JobRequests.checked(payload, limits);
  }

  private static JsonText parsed(String text) {
    if (!Names.storable(text)) {
      throw RequestException.malformed(
          "payloadText contains characters that cannot be stored; escape them");
    }
    return JsonText.parse("payloadText", text);
  }

  /** Returns the time, which must be the only field of the body. */
  static Instant at(Body body) {
    return given(Fields.of(body.json(), "the body", List.of("at")).moment("at"));
  }

  /** Returns the time that a remote caller has given as a string. */
  public static Instant at(String text) {
    return given(Parameters.moment("at", text));
  }

  private static Instant given(@Nullable Instant at) {
    if (at == null) {
      throw RequestException.malformed(
          "at is missing; specify a time such as 2027-01-01T06:00:00Z");
    }
    return at;
  }

  /** Returns the priority, which must be the only field of the body. */
  static int priority(Body body) {
    Fields fields = Fields.of(body.json(), "the body", List.of("priority"));
    Integer priority = fields.whole("priority");
    if (priority == null || priority < 0 || priority > 9) {
      throw RequestException.malformed(
          "priority is " + priority + "; specify 0 (last) to 9 (first)");
    }
    return priority;
  }
}
