package org.readpast.rest.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRequest;
import org.readpast.model.Rule;
import org.readpast.rest.http.Fields;
import org.readpast.rest.http.JsonText;

/** Reads the definition of a rule, or a change to some of its fields. */
final class RuleBody {
  private static final List<String> KNOWN =
      List.of(
          "search",
          "datasource",
          "type",
          "queue",
          "priority",
          "computation",
          "schedule",
          "enabled");

  private final Fields fields;

  RuleBody(JsonText json) {
    fields = Fields.of(json, "a rule", KNOWN);
  }

  Rule whole(String name) {
    Integer priority = fields.whole("priority");
    Boolean enabled = fields.flag("enabled");
    String queue = fields.text("queue");
    return new Rule(
        name,
        fields.required("search", "a query whose first column is the object's key"),
        fields.text("datasource"),
        fields.required("type", "the job type that the handler of its jobs is registered for"),
        queue == null ? "default" : queue,
        priority == null ? JobRequest.DEFAULT_PRIORITY : priority,
        fields.text("computation"),
        fields.text("schedule"),
        enabled == null || enabled);
  }

  Rule changed(Rule rule) {
    Integer priority = fields.whole("priority");
    Boolean enabled = fields.flag("enabled");
    return new Rule(
        rule.name(),
        kept("search", rule.search()),
        nullable("datasource", rule.dataSource()),
        kept("type", rule.type()),
        kept("queue", rule.queue()),
        priority == null ? rule.priority() : priority,
        nullable("computation", rule.computation()),
        nullable("schedule", rule.schedule()),
        enabled == null ? rule.enabled() : enabled);
  }

  private String kept(String field, String before) {
    String given = fields.text(field);
    return given == null ? before : given;
  }

  private @Nullable String nullable(String field, @Nullable String before) {
    return fields.has(field) ? fields.text(field) : before;
  }
}
