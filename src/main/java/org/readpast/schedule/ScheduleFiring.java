package org.readpast.schedule;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Enqueued;
import org.readpast.api.Overlap;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.model.EncryptedException;
import org.readpast.model.Firing;
import org.readpast.model.NewJob;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules.Advance;
import org.readpast.schedule.Schedules.Due;
import org.readpast.schedule.Schedules.Fired;
import org.readpast.schedule.Schedules.Run;

/**
 * Creates a job for each planned time that has been reached. Any number of nodes may fire schedules
 * concurrently, and may stop after any step: the row of a schedule is locked, and a run, its job
 * and the schedule's next planned time are committed together.
 */
public final class ScheduleFiring {
  /** Names the property of a job that contains the name of the schedule that created it. */
  public static final String SCHEDULE = "readpast.schedule";

  /** Names the property of a job that contains its planned time; see {@link #SCHEDULE}. */
  public static final String PLANNED_AT = "readpast.planned-at";

  private static final Logger LOG = System.getLogger(ScheduleFiring.class.getName());
  private static final int AT_ONCE = 100;

  private final Transactions transactions;
  private final Schedules schedules;
  private final Enqueuer enqueuer;
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  /** Creates an instance; {@code enqueuer} stores the jobs in the transactions of their runs. */
  public ScheduleFiring(Transactions transactions, Enqueuer enqueuer) {
    this.transactions = transactions;
    this.schedules = new Schedules(transactions);
    this.enqueuer = enqueuer;
  }

  private record Round(int found, @Nullable Duration next) {}

  /**
   * Fires the schedules that are due.
   *
   * @param now the current time, or null to use the database's clock
   * @return the time until the next planned time, zero or negative while another node handles it;
   *     null if there is no next planned time
   */
  public @Nullable Duration fire(@Nullable Instant now) {
    Round round;
    do {
      round = transactions.requiresNew(() -> some(now));
    } while (round.found() == AT_ONCE);
    return round.next();
  }

  /**
   * Makes definitions that could not be read before be read again, because schedules have changed.
   */
  void lookAnew() {
    unreadable.clear();
  }

  private record Decided(ScheduleDefinition schedule, Firing firing) {}

  private Round some(@Nullable Instant now) {
    List<Due> due = schedules.due(now, AT_ONCE, unreadable);
    Map<String, Decided> decided = decide(due);
    List<Run> runs = new ArrayList<>();
    decided.forEach((name, d) -> runs.addAll(runs(name, d.firing())));
    List<Run> toFire = schedules.insert(runs).stream().filter(r -> r.skipped() == null).toList();
    List<Enqueued> jobs =
        enqueuer.enqueue(
            toFire.stream()
                .map(r -> job(Objects.requireNonNull(decided.get(r.schedule())).schedule(), r.at()))
                .toList());
    List<Fired> fired = new ArrayList<>();
    Map<String, Long> last = new HashMap<>();
    for (int i = 0; i < toFire.size(); i++) {
      fired.add(new Fired(toFire.get(i), jobs.get(i).id()));
      last.put(toFire.get(i).schedule(), jobs.get(i).id());
    }
    schedules.setJobs(fired, false);
    schedules.advance(
        decided.entrySet().stream()
            .map(e -> new Advance(e.getKey(), e.getValue().firing().next(), last.get(e.getKey())))
            .toList());
    return new Round(due.size(), due.size() == AT_ONCE ? null : schedules.nextDue(now, unreadable));
  }

  private Map<String, Decided> decide(List<Due> due) {
    Map<String, ScheduleDefinition> read = new HashMap<>();
    for (Due one : due) {
      try {
        read.put(one.name(), one.definition().get());
      } catch (EncryptedException e) {
        unreadable.add(one.name());
        LOG.log(
            Level.WARNING,
            "READPAST-0064 this node cannot decrypt the payload of schedule ''{0}'', and leaves"
                + " the schedule to other nodes: {1}",
            one.name(),
            e.getMessage());
      } catch (RuntimeException e) {
        unreadable.add(one.name());
        LOG.log(
            Level.WARNING,
            "READPAST-0051 schedule '"
                + one.name()
                + "' has a definition that this node cannot read; it leaves the schedule"
                + " to other nodes",
            e);
      }
    }
    Set<String> busy =
        schedules.busy(
            read.values().stream()
                .filter(schedule -> schedule.overlap() == Overlap.SKIP)
                .map(ScheduleDefinition::name)
                .collect(Collectors.toSet()));
    Map<String, Decided> decided = new HashMap<>();
    for (Due one : due) {
      ScheduleDefinition schedule = read.get(one.name());
      if (schedule != null) {
        Firing firing = Firing.of(schedule, one.planned(), one.now(), busy.contains(one.name()));
        decided.put(one.name(), new Decided(schedule, firing));
      }
    }
    return decided;
  }

  private List<Run> runs(String schedule, Firing firing) {
    List<Run> runs = new ArrayList<>();
    for (Firing.Skipped skipped : firing.skipped()) {
      runs.add(new Run(schedule, skipped.at(), skipped.reason(), skipped.count()));
      if (skipped.reason() != Firing.Reason.OVERLAP) {
        transactions.afterCommit(() -> logSkipped(schedule, skipped));
      }
    }
    firing.fired().forEach(at -> runs.add(new Run(schedule, at, null, 1)));
    return runs;
  }

  private static void logSkipped(String schedule, Firing.Skipped skipped) {
    LOG.log(
        Level.WARNING,
        skipped.reason() == Firing.Reason.MISSED
            ? "READPAST-0052 schedule ''{0}'' skipped {1} planned runs up to {2}, because no node ran"
                + " at the time; catch-up and catch-up-cap determine how many of them run later"
            : "READPAST-0085 schedule ''{0}'' skipped {1} planned runs up to {2}, because their latest"
                + " start had passed; raise latest-start if such runs must still start",
        schedule,
        Integer.toString(skipped.count()),
        skipped.at());
  }

  /** Returns the job of a run. */
  public static NewJob job(ScheduleDefinition schedule, Instant at) {
    Duration window = schedule.latestStart();
    // Neither the name of a schedule nor a time contains a character that has to be escaped in
    // JSON.
    String properties =
        "{\"" + SCHEDULE + "\":\"" + schedule.name() + "\",\"" + PLANNED_AT + "\":\"" + at + "\"}";
    return new NewJob(
        schedule.queue(),
        schedule.type(),
        schedule.priority(),
        null,
        null,
        null,
        window == null ? null : at.plus(window),
        null,
        null,
        properties,
        null,
        schedule.payload());
  }
}
