package org.readpast.rest.remote;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Limits;
import org.readpast.api.JobRejectedException;
import org.readpast.model.ContentType;
import org.readpast.model.NewJob;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.RequestException;
import org.readpast.rest.jobs.JobRequests;

/**
 * Reads the requests of remote callers: their headers become the fields of a REST request, to which
 * the same rules apply.
 */
final class RemoteRequest {
  private static final Set<String> NUMBERS = Set.of("priority", "wave", "maxAttempts", "version");
  private static final Set<String> FLAGS = Set.of("replaceWaiting");
  private static final Set<String> FLAG_VALUES = Set.of("true", "false");
  private static final String PROPERTY = "property.";
  private static final Set<String> NO_HEADERS = Set.of("type", "payload", "ref", "properties");

  private final Map<String, String> headers;
  private final Limits limits;

  RemoteRequest(Map<String, String> headers, Limits limits) {
    this.headers = headers == null ? Map.of() : new TreeMap<>(headers);
    this.limits = limits;
  }

  NewJob text(String type, String payload) {
    if (payload == null) {
      throw new JobRejectedException("payload is null; specify JSON, for example {}");
    }
    ContentType content = content();
    return job(type, content == null ? payload : quoted(content.keep(payload)));
  }

  List<NewJob> texts(String type, List<String> payloads) {
    if (payloads == null || payloads.size() > limits.jobs()) {
      throw new JobRejectedException(
          "payloads are "
              + (payloads == null ? "null" : payloads.size() + " in one call")
              + "; specify a list of up to "
              + limits.jobs());
    }
    List<NewJob> all = new ArrayList<>(payloads.size());
    long bytes = 0;
    for (String payload : payloads) {
      NewJob job = text(type, payload);
      // In UTF-8, a string has at least as many bytes as it has characters.
      bytes += job.payload().length();
      if (bytes > limits.requestBytes()) {
        throw new JobRejectedException(
            "payloads have more than "
                + limits.requestBytes()
                + " bytes in total; send fewer in one call");
      }
      all.add(job);
    }
    return all;
  }

  NewJob bytes(String type, byte[] payload) {
    ContentType content = content();
    if (payload == null || content == null) {
      throw new JobRejectedException(
          "bytes need a payload and a header contentType that is not JSON, such as image/png");
    }
    return job(type, quoted(content.keep(payload)));
  }

  private @Nullable ContentType content() {
    return ContentType.of(headers.get("contentType"));
  }

  private static String quoted(String text) {
    return Json.createValue(text).toString();
  }

  private NewJob job(String type, String payload) {
    JsonObjectBuilder fields = Json.createObjectBuilder();
    JsonObjectBuilder properties = Json.createObjectBuilder();
    fields.add("queue", "default");
    if (type != null) {
      fields.add("type", type);
    }
    headers.forEach(
        (name, value) -> {
          if (value == null) {
            throw new JobRejectedException("header " + name + " is null; leave it out");
          }
          if (name.startsWith(PROPERTY)) {
            properties.add(name.substring(PROPERTY.length()), value);
          } else if (name.equals("after")) {
            fields.add(name, ids(value));
          } else if (NUMBERS.contains(name) && value.matches("-?[0-9]{1,9}")) {
            fields.add(name, Integer.parseInt(value));
          } else if (FLAGS.contains(name) && FLAG_VALUES.contains(value)) {
            fields.add(name, Boolean.parseBoolean(value));
          } else if (NO_HEADERS.contains(name)) {
            throw new JobRejectedException(
                "'"
                    + name
                    + "' is not a header of a remote call; the header of a property is"
                    + " 'property.<name>'");
          } else {
            fields.add(name, value);
          }
        });
    fields.add("properties", properties);
    // The payload is inserted as text, so that its numbers keep all digits. The payload is known to
    // be JSON, so it cannot add fields to the request.
    JsonText.parse("payload", payload);
    String text = fields.build().toString();
    return JobRequests.withQueue(limits)
        .one(
            JsonText.parse(text.substring(0, text.length() - 1) + ",\"payload\":" + payload + "}"));
  }

  private static JsonArrayBuilder ids(String list) {
    JsonArrayBuilder ids = Json.createArrayBuilder();
    for (String id : list.split("\\s*,\\s*", -1)) {
      if (!id.matches("[0-9]{1,18}")) {
        throw new JobRejectedException(
            "after is '"
                + RequestException.quote(list)
                + "'; specify ids of jobs, separated by commas");
      }
      ids.add(Long.parseLong(id));
    }
    return ids;
  }
}
