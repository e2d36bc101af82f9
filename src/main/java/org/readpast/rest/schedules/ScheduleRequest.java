package org.readpast.rest.schedules;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.readpast.admin.Limits;
import org.readpast.model.Names;
import org.readpast.model.ScheduleDefinition;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.RequestException;

/**
 * Holds a request that defines a schedule.
 *
 * @param saysEnabled true if the request contains {@code enabled}
 */
record ScheduleRequest(ScheduleDefinition schedule, boolean saysEnabled) {
  private static final List<String> TEXTS =
      ScheduleDefinition.FIELDS.stream().filter(name -> !name.equals("payload")).toList();

  static ScheduleRequest read(String name, JsonText json, Limits limits) {
    Names.checkExplicitSchedule(name);
    Fields fields = Fields.of(json, "the body", ScheduleDefinition.FIELDS);
    Map<String, String> texts = fields.texts(TEXTS);
    JsonText payload = fields.get("payload");
    if (payload != null) {
      int bytes = payload.text().getBytes(StandardCharsets.UTF_8).length;
      if (bytes > limits.payloadBytes()) {
        throw RequestException.tooLarge(
            "payload is larger than "
                + limits.payloadBytes()
                + " bytes; store the data elsewhere and send a reference");
      }
      texts.put("payload", payload.text());
    }
    return new ScheduleRequest(ScheduleDefinition.read(name, texts), fields.get("enabled") != null);
  }

  /** Returns true if the request enables the schedule. */
  static boolean enabled(JsonText json) {
    Boolean enabled = Fields.of(json, "the body", List.of("enabled")).flag("enabled");
    if (enabled == null) {
      throw RequestException.malformed("enabled is missing; specify true or false");
    }
    return enabled;
  }
}
