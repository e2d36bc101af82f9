package org.readpast.rest.system;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.AuditLog;
import org.readpast.rest.http.Answer;

/** Represents an audit entry as JSON, without its detail. */
@JsonbPropertyOrder({"id", "at", "who", "action", "target"})
public record AuditAnswer(long id, Instant at, String who, String action, @Nullable String target) {

  /** Returns the entry as JSON, with its detail as it is stored. */
  static String json(AuditLog.Entry entry) {
    var answer =
        new AuditAnswer(entry.id(), entry.at(), entry.who(), entry.action(), entry.target());
    String json = Answer.toJson(answer);
    return json.substring(0, json.length() - 1) + ",\"detail\":" + entry.detail() + "}";
  }

  static String csv(AuditLog.Entry entry) {
    return Csv.line(
        entry.id(), entry.at(), entry.who(), entry.action(), entry.target(), entry.detail());
  }
}
