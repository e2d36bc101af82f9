package org.readpast.rest.batches;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.BatchControl.Event;
import org.readpast.admin.Limits;
import org.readpast.api.BatchFailure;
import org.readpast.model.NewJob;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;
import org.readpast.rest.jobs.JobRequests;

/** Holds a request to define a batch. */
record BatchDefinition(@Nullable BatchFailure failurePolicy, Map<Event, NewJob> callbacks) {
  private static final List<String> KNOWN =
      List.of("failurePolicy", "onSuccess", "onDiscard", "onFinish");

  static BatchDefinition read(JsonText json, Limits limits) {
    Fields fields = Fields.of(json, "a batch", KNOWN);
    Map<Event, NewJob> callbacks = new EnumMap<>(Event.class);
    read(fields, "onSuccess", Event.SUCCESS, callbacks, limits);
    read(fields, "onDiscard", Event.DISCARD, callbacks, limits);
    read(fields, "onFinish", Event.FINISH, callbacks, limits);
    return new BatchDefinition(fields.choice("failurePolicy", BatchFailure.class), callbacks);
  }

  private static void read(
      Fields fields, String name, Event event, Map<Event, NewJob> callbacks, Limits limits) {
    JsonText job = fields.get(name);
    if (job != null) {
      callbacks.put(event, JobRequests.withQueue(limits).one(job));
    }
  }
}
