package org.readpast.rest.jobs;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.Bulk;
import org.readpast.api.JobState;
import org.readpast.model.JobSearch;
import org.readpast.rest.http.Cursor;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.http.Parameters;
import org.readpast.rest.http.RequestException;

/**
 * Holds a request to change many jobs, given by id or by a search.
 *
 * @param ids the ids, or null for all jobs that match the search
 * @param below the id below which to continue, or null to start at the newest job
 */
record BulkRequest(
    Bulk.Change change, @Nullable Set<Long> ids, JobSearch search, @Nullable Long below) {
  private static final List<String> KNOWN =
      List.of("action", "priority", "type", "version", "ids", "matching", "cursor");
  private static final List<String> KNOWN_OF_ERASURE = List.of("ids", "matching", "cursor");
  private static final List<String> MATCHING = List.of("q", "queue", "type", "state");

  static BulkRequest read(JsonText json, int mostIds) {
    Fields fields = Fields.of(json, "the body", KNOWN);
    Bulk.Action action = fields.choice("action", Bulk.Action.class);
    // ERASE is refused, because only administrators may erase, at a separate path.
    if (action == null || action == Bulk.Action.ERASE) {
      throw RequestException.malformed(
          "action is missing or unknown; specify RESET, RUN, CANCEL, DELETE, PRIORITIZE or MOVE");
    }
    Integer priority = fields.whole("priority");
    if ((action == Bulk.Action.PRIORITIZE) != (priority != null)) {
      throw RequestException.malformed(
          "priority belongs to action PRIORITIZE only, and is required there; specify 0 to 9");
    }
    if (priority != null && (priority < 0 || priority > 9)) {
      throw RequestException.malformed("priority is " + priority + "; specify 0 to 9");
    }
    return read(new Bulk.Change(action, priority, type(action, fields)), fields, mostIds);
  }

  private static @Nullable String type(Bulk.Action action, Fields fields) {
    if (action == Bulk.Action.MOVE) {
      return JobRequests.type(fields);
    }
    if (fields.get("type") != null || fields.get("version") != null) {
      throw RequestException.malformed(
          "type and version are allowed with action MOVE only; to select jobs by their type,"
              + " name it in matching");
    }
    return null;
  }

  /** Reads a request to erase jobs. */
  static BulkRequest readErasure(JsonText json, int mostIds) {
    return read(
        new Bulk.Change(Bulk.Action.ERASE, null),
        Fields.of(json, "the body", KNOWN_OF_ERASURE),
        mostIds);
  }

  private static BulkRequest read(Bulk.Change change, Fields fields, int mostIds) {
    JsonText ids = fields.get("ids");
    JsonText matching = fields.get("matching");
    if ((ids != null) == (matching != null)) {
      throw RequestException.malformed(
          "specify either ids, or matching with one or more of q, queue, type and state; for all"
              + " jobs \"matching\": {}");
    }
    return new BulkRequest(
        change,
        ids == null ? null : ids(ids, mostIds),
        matching == null ? JobSearch.ANY : search(matching),
        Cursor.read(fields.text("cursor")));
  }

  private static Set<Long> ids(JsonText given, int most) {
    if (!given.isArray()) {
      throw Fields.wrong("ids", given, "an array of job ids");
    }
    List<JsonText> elements = given.elements();
    if (elements.size() > most) {
      throw RequestException.tooLarge(
          elements.size() + " ids are too many; send at most " + most + " in one request");
    }
    return elements.stream().map(BulkRequest::id).collect(Collectors.toSet());
  }

  private static long id(JsonText given) {
    if (!given.text().matches("[0-9]{1,18}")) {
      throw Fields.wrong("an element of ids", given, "the ids of jobs, which are whole numbers");
    }
    return Long.parseLong(given.text());
  }

  private static JobSearch search(JsonText json) {
    Fields fields = Fields.of(json, "matching", MATCHING);
    JobState state = Parameters.state(fields.text("state"), Parameters.allStates());
    return SearchParameters.search(
        fields.text("q"), fields.text("queue"), fields.text("type"), state);
  }
}
