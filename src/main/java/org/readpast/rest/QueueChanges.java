package org.readpast.rest;

import java.util.List;
import org.readpast.store.QueueAdmin;

/** Reads what a request wants changed of a queue. */
final class QueueChanges {
  private static final List<String> KNOWN = List.of("paused", "concurrency");

  private QueueChanges() {}

  static QueueAdmin.Change read(JsonText json) {
    Fields fields = Fields.of(json, "the body", KNOWN);
    Boolean paused = fields.flag("paused");
    Integer concurrency = fields.whole("concurrency");
    if (paused == null && !fields.has("concurrency")) {
      throw RequestException.malformed("nothing to change; give paused, concurrency or both");
    }
    if (concurrency != null && (concurrency < 0 || concurrency > 1000)) {
      throw RequestException.malformed(
          "concurrency is " + concurrency + "; give 0 to 1000, or null for what is configured");
    }
    return new QueueAdmin.Change(paused, fields.has("concurrency"), concurrency);
  }
}
