package org.readpast.rest.rules;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.RuleRuns;
import org.readpast.admin.store.Rules;
import org.readpast.model.Rule;

/** Represents a rule as JSON; absent values are omitted. */
@JsonbPropertyOrder({
  "name",
  "search",
  "datasource",
  "type",
  "queue",
  "priority",
  "computation",
  "schedule",
  "enabled",
  "declared",
  "changedAt",
  "lastRun"
})
public record RuleAnswer(
    String name,
    String search,
    @Nullable String datasource,
    String type,
    String queue,
    int priority,
    @Nullable String computation,
    @Nullable String schedule,
    boolean enabled,
    boolean declared,
    Instant changedAt,
    @Nullable Run lastRun) {

  /** Represents one run of a rule. */
  @JsonbPropertyOrder({"job", "state", "startedAt", "endedAt", "found", "new", "skipped", "error"})
  public record Run(
      long job,
      String state,
      Instant startedAt,
      @Nullable Instant endedAt,
      long found,
      @JsonbProperty("new") long added,
      long skipped,
      @Nullable String error) {

    static Run of(RuleRuns.Report run) {
      return new Run(
          run.job(),
          run.state(),
          run.startedAt(),
          run.endedAt(),
          run.found(),
          run.added(),
          run.skipped(),
          run.error());
    }
  }

  static RuleAnswer of(Rules.Stored stored, RuleRuns.@Nullable Report lastRun) {
    Rule rule = stored.rule();
    return new RuleAnswer(
        rule.name(),
        rule.search(),
        rule.dataSource(),
        rule.type(),
        rule.queue(),
        rule.priority(),
        rule.computation(),
        rule.schedule(),
        rule.enabled(),
        stored.declared(),
        stored.changedAt(),
        lastRun == null ? null : Run.of(lastRun));
  }
}
