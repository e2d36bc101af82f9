package org.readpast.rest.schedules;

import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.LastRunView;
import org.readpast.admin.store.ScheduleView;
import org.readpast.api.CatchUp;
import org.readpast.api.Overlap;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.Timing;
import org.readpast.model.Timing.Form;
import org.readpast.rest.http.Answer;
import org.readpast.rest.jobs.PayloadMask;
import org.readpast.schedule.Schedules.Declaration;

/** Represents a schedule as JSON, without its payload; absent values are omitted. */
@JsonbPropertyOrder({
  "name",
  "cron",
  "daily",
  "every",
  "anchor",
  "zone",
  "type",
  "queue",
  "priority",
  "catchUp",
  "catchUpCap",
  "overlap",
  "latestStart",
  "enabled",
  "declared",
  "declaredNow",
  "fires",
  "changedAt",
  "lastJob",
  "nextRuns",
  "lastRuns"
})
public record ScheduleAnswer(
    String name,
    @Nullable String cron,
    @Nullable String daily,
    @Nullable String every,
    @Nullable Instant anchor,
    @Nullable String zone,
    String type,
    String queue,
    int priority,
    CatchUp catchUp,
    int catchUpCap,
    Overlap overlap,
    @Nullable String latestStart,
    boolean enabled,
    @Nullable Declaration declared,
    boolean declaredNow,
    boolean fires,
    Instant changedAt,
    @Nullable Long lastJob,
    List<Instant> nextRuns,
    @Nullable List<LastRunView> lastRuns) {

  /**
   * Returns the schedule as JSON.
   *
   * @param runs the number of next planned times to show
   */
  static String json(ScheduleView view, int runs, PayloadMask mask) {
    return json(view, runs, null, mask);
  }

  /**
   * Returns the schedule as JSON.
   *
   * @param lastRuns the latest runs, or null to omit them
   */
  static String json(
      ScheduleView view, int runs, @Nullable List<LastRunView> lastRuns, PayloadMask mask) {
    String json = Answer.of(200, of(view, runs, lastRuns)).json();
    String open = json.substring(0, json.length() - 1);
    return open + ",\"payload\":" + mask.mask(view.definition().payload()) + "}";
  }

  private static ScheduleAnswer of(
      ScheduleView view, int runs, @Nullable List<LastRunView> lastRuns) {
    ScheduleDefinition schedule = view.definition();
    Timing timing = schedule.timing();
    boolean interval = timing.kind() == Form.EVERY;
    return new ScheduleAnswer(
        schedule.name(),
        expression(timing, Form.CRON),
        expression(timing, Form.DAILY),
        expression(timing, Form.EVERY),
        interval ? timing.anchor() : null,
        interval ? null : timing.zone().getId(),
        schedule.type(),
        schedule.queue(),
        schedule.priority(),
        schedule.catchUp(),
        schedule.catchUpCap(),
        schedule.overlap(),
        Objects.toString(schedule.latestStart(), null),
        schedule.enabled(),
        view.declaration(),
        view.declaredNow(),
        view.fires(),
        view.changedAt(),
        view.lastJob(),
        nextRuns(view, runs),
        lastRuns);
  }

  private static @Nullable String expression(Timing timing, Form kind) {
    return timing.kind() == kind ? timing.expression() : null;
  }

  private static List<Instant> nextRuns(ScheduleView view, int runs) {
    List<Instant> next = new ArrayList<>();
    if (view.fires() && runs > 0) {
      next.add(view.nextAt());
      next.addAll(view.definition().timing().after(view.nextAt(), runs - 1));
    }
    return next;
  }
}
