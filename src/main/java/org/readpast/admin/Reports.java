package org.readpast.admin;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.LossReports;
import org.readpast.model.Failure;
import org.readpast.model.NewJob;
import org.readpast.model.StoredType;
import org.readpast.schedule.Schedules;
import org.readpast.schedule.Schedules.Origin;
import org.readpast.store.ClaimedJob;
import org.readpast.store.MaintenanceStore.LostOrOverdueClaim;

/**
 * Reports discarded jobs, and jobs that a lost owner left unfinished. Each report is logged and, if
 * a webhook is configured, sent to the webhook. A webhook call is a job that is enqueued in the
 * transaction that it reports. Failures of webhook jobs are not reported to the webhook.
 */
public final class Reports implements LossReports {
  /** Names the job type and the queue of webhook jobs. */
  public static final String WEBHOOK = "readpast.webhook";

  private static final Logger LOG = System.getLogger(Reports.class.getName());
  private static final int MOST_IN_A_LINE = 50;

  private final Transactions transactions;
  private final Schedules schedules;
  private final Enqueuer enqueuer;
  private final boolean webhook;

  /** Creates an instance; {@code webhook} is true if a webhook is configured. */
  public Reports(Transactions transactions, Enqueuer enqueuer, boolean webhook) {
    this.transactions = transactions;
    this.schedules = new Schedules(transactions);
    this.enqueuer = enqueuer;
    this.webhook = webhook;
  }

  @Override
  public void discarded(ClaimedJob job, Failure failure) {
    if (webhook && !job.type().equals(WEBHOOK)) {
      Origin origin = schedules.originsOf(List.of(job.id())).get(0);
      enqueueReports(
          List.of(
              event(
                  "job.discarded",
                  job.id(),
                  job.type(),
                  job.queue(),
                  "DISCARDED",
                  job.attempt(),
                  failure,
                  origin)));
    }
  }

  @Override
  public void takenOver(List<TakenOver> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    Map<Long, Origin> origins =
        schedules.originsOf(jobs.stream().map(t -> t.claim().id()).toList()).stream()
            .collect(Collectors.toMap(Origin::job, Function.identity(), (a, b) -> a));
    transactions.afterCommit(() -> log(jobs, origins));
    if (webhook) {
      List<NewJob> events = new ArrayList<>();
      for (TakenOver job : jobs) {
        LostOrOverdueClaim claim = job.claim();
        if (!claim.type().equals(WEBHOOK)) {
          events.add(
              event(
                  job.exhausted() ? "job.discarded" : "job.released",
                  claim.id(),
                  claim.type(),
                  claim.queue(),
                  job.exhausted() ? "DISCARDED" : "AVAILABLE",
                  claim.attempt(),
                  job.why(),
                  origins.get(claim.id())));
        }
      }
      enqueueReports(events);
    }
  }

  private void enqueueReports(List<NewJob> events) {
    enqueuer.enqueue(events);
  }

  private static void log(List<TakenOver> jobs, Map<Long, Origin> origins) {
    List<String> others = new ArrayList<>();
    for (TakenOver job : jobs) {
      Origin origin = origins.get(job.claim().id());
      if (origin != null && origin.schedule() != null) {
        LOG.log(
            Level.WARNING,
            "READPAST-0056 a takeover found the run of schedule ''{0}'' planned at {1}"
                + " unfinished: {2}",
            origin.schedule(),
            origin.plannedAt(),
            text(job, origin));
      } else {
        others.add(text(job, origin));
      }
    }
    if (!others.isEmpty()) {
      LOG.log(
          Level.WARNING,
          "READPAST-0057 a takeover found jobs unfinished: {0}{1}",
          String.join("; ", others.subList(0, Math.min(MOST_IN_A_LINE, others.size()))),
          others.size() > MOST_IN_A_LINE
              ? "; and " + (others.size() - MOST_IN_A_LINE) + " more"
              : "");
    }
  }

  private static String text(TakenOver job, @Nullable Origin origin) {
    LostOrOverdueClaim claim = job.claim();
    return "job %d of type %s, %s (attempt %d; owner lost %d times so far); %s"
        .formatted(
            claim.id(),
            StoredType.of(claim.type()),
            job.why().message(),
            claim.attempt(),
            origin == null ? 0 : origin.ownersLost(),
            job.exhausted()
                ? "it has no attempts left and was discarded"
                : "it will be started again");
  }

  private static NewJob event(
      String event,
      long job,
      String type,
      String queue,
      String state,
      int attempt,
      Failure failure,
      @Nullable Origin origin) {
    StringBuilder json = new StringBuilder("{");
    member(json, "event", event);
    json.append(",\"job\":").append(job);
    StoredType stored = StoredType.of(type);
    member(json, "type", stored.name());
    json.append(",\"version\":").append(stored.version());
    member(json, "queue", queue);
    member(json, "state", state);
    json.append(",\"attempt\":").append(attempt);
    member(json, "kind", failure.kind().name());
    member(json, "exception", failure.exception());
    if (origin != null) {
      member(json, "schedule", origin.schedule());
      member(json, "plannedAt", origin.plannedAt() == null ? null : origin.plannedAt().toString());
      json.append(",\"ownersLost\":").append(origin.ownersLost());
    }
    return new NewJob(
        WEBHOOK, WEBHOOK, 4, null, null, null, null, null, null, null, null, json + "}");
  }

  private static void member(StringBuilder json, String name, @Nullable String value) {
    if (value != null) {
      json.append(json.length() == 1 ? "\"" : ",\"").append(name).append("\":\"");
      // Removing quotes and backslashes prevents an injection of JSON; class names contain neither.
      value
          .codePoints()
          .filter(c -> c >= ' ' && c != '"' && c != '\\')
          .forEach(json::appendCodePoint);
      json.append('"');
    }
  }
}
