package org.readpast.rest.queues;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.QueueAdmin;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.RequestException;

/** Reads a request that changes a queue. */
final class QueueChanges {
  private static final List<String> KNOWN =
      List.of("paused", "concurrency", "globalConcurrency", "reserved");

  private QueueChanges() {}

  static QueueAdmin.Change read(JsonText json) {
    Fields fields = Fields.of(json, "the body", KNOWN);
    if (KNOWN.stream().noneMatch(fields::has)) {
      throw RequestException.malformed(
          "nothing to change; specify one or more of " + String.join(", ", KNOWN));
    }
    Boolean paused = fields.flag("paused");
    return new QueueAdmin.Change(
        paused,
        value(fields, "concurrency", 1_000),
        value(fields, "globalConcurrency", 10_000),
        value(fields, "reserved", 1_000));
  }

  private static QueueAdmin.@Nullable NewValue value(Fields fields, String name, int highest) {
    return fields.has(name) ? new QueueAdmin.NewValue(limit(fields, name, highest)) : null;
  }

  /** Returns a number of concurrent jobs, or null to return to the configured number. */
  static @Nullable Integer limit(Fields fields, String name, int highest) {
    Integer value = fields.whole(name);
    if (value != null && (value < 0 || value > highest)) {
      throw RequestException.malformed(
          name
              + " is "
              + value
              + "; specify 0 to "
              + highest
              + ", or null to restore the configured value");
    }
    return value;
  }
}
