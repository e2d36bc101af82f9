package org.readpast.rest;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.BulkReset;
import org.readpast.model.Names;
import org.readpast.model.Transition;

/**
 * Selects the ended jobs to reset, by id or by a selection.
 *
 * @param ids null: the jobs that match the selection
 */
record ResetRequest(@Nullable Set<Long> ids, BulkReset.Selection selection) {
  private static final List<String> KNOWN = List.of("ids", "queue", "type", "state");

  static ResetRequest read(JsonText json, int mostIds) {
    Fields fields = Fields.of(json, "the body", KNOWN);
    JsonText ids = fields.get("ids");
    var selection =
        new BulkReset.Selection(
            fields.text("queue"),
            fields.text("type"),
            Parameters.state(fields.text("state"), Transition.RESET.from()));
    boolean selects =
        selection.queue() != null || selection.type() != null || selection.state() != null;
    if ((ids != null) == selects) {
      throw RequestException.malformed("give either ids, or at least one of queue, type and state");
    }
    if (selection.queue() != null) {
      Names.checkQueue(selection.queue());
    }
    if (selection.type() != null) {
      Names.checkType(selection.type());
    }
    return new ResetRequest(ids == null ? null : ids(ids, mostIds), selection);
  }

  static Set<Long> ids(JsonText given, int most) {
    if (!given.isArray()) {
      throw Fields.wrong("ids", given, "an array of job ids");
    }
    List<JsonText> elements = given.elements();
    if (elements.size() > most) {
      throw RequestException.tooLarge(
          elements.size() + " ids are too many; send at most " + most + " in one request");
    }
    return elements.stream().map(ResetRequest::id).collect(Collectors.toSet());
  }

  private static long id(JsonText given) {
    if (!given.text().matches("[0-9]{1,18}")) {
      throw Fields.wrong("an element of ids", given, "the ids of jobs, which are whole numbers");
    }
    return Long.parseLong(given.text());
  }
}
