package org.readpast.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.LastRunView;
import org.readpast.admin.store.Rules;
import org.readpast.admin.store.ScheduleAdmin;
import org.readpast.admin.store.ScheduleRunView;
import org.readpast.admin.store.ScheduleView;
import org.readpast.api.JobRejectedException;
import org.readpast.api.NotFoundException;
import org.readpast.api.Overlap;
import org.readpast.api.StateConflictException;
import org.readpast.database.Transactions;
import org.readpast.engine.Enqueuer;
import org.readpast.engine.Signals;
import org.readpast.model.Encryption;
import org.readpast.model.QueueAccess;
import org.readpast.model.QueueScope;
import org.readpast.model.Role;
import org.readpast.model.Rule;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.ScheduleFiring;
import org.readpast.schedule.Schedules;
import org.readpast.schedule.Schedules.Declaration;
import org.readpast.schedule.Schedules.Fired;
import org.readpast.schedule.Schedules.Run;
import org.readpast.schedule.Schedules.Standing;

/** Reads, defines, deletes, enables and disables schedules, and starts runs on request. */
public final class ScheduleControl implements Scoped<ScheduleControl> {
  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T00:00:00Z");

  private final Transactions transactions;
  private final Enqueuer enqueuer;
  private final Signals signals;
  private final Consumer<ScheduleDefinition> warning;
  private final Audit audit;
  private final Schedules schedules;
  private final ScheduleAdmin scheduleAdmin;
  private final JobReads jobs;
  private final Rules rules;
  private final QueueAccess access;

  /** Creates an instance; {@code warning} receives each schedule that is defined. */
  public ScheduleControl(
      Transactions transactions,
      Enqueuer enqueuer,
      Signals signals,
      Consumer<ScheduleDefinition> warning,
      Audit audit) {
    this(transactions, enqueuer, signals, warning, audit, QueueAccess.EVERYTHING);
  }

  private ScheduleControl(
      Transactions transactions,
      Enqueuer enqueuer,
      Signals signals,
      Consumer<ScheduleDefinition> warning,
      Audit audit,
      QueueAccess access) {
    this.access = access;
    this.transactions = transactions;
    this.enqueuer = enqueuer;
    this.signals = signals;
    this.warning = warning;
    this.audit = audit;
    this.schedules = new Schedules(transactions);
    this.scheduleAdmin = new ScheduleAdmin(transactions, access.seen());
    this.jobs = new JobReads(transactions, access.seen());
    this.rules = new Rules(transactions);
  }

  @Override
  public ScheduleControl within(QueueAccess caller) {
    return new ScheduleControl(transactions, enqueuer, signals, warning, audit, caller);
  }

  /** Returns every schedule, ordered by name. */
  public List<ScheduleView> all() {
    return transactions.required(scheduleAdmin::all);
  }

  /** Returns up to a maximum number of the latest runs of each schedule, by its name. */
  public Map<String, List<LastRunView>> lastRuns(int most) {
    return transactions.required(() -> scheduleAdmin.lastRuns(most));
  }

  /**
   * Returns a schedule.
   *
   * @throws NotFoundException if the schedule does not exist
   */
  public ScheduleView get(String name) {
    return transactions.required(() -> existing(name));
  }

  /**
   * Returns the outcomes of the planned runs, the latest first.
   *
   * @param before the planned time before which to start, or null to return the latest runs
   * @throws NotFoundException if the schedule does not exist
   */
  public List<ScheduleRunView> runs(String name, @Nullable Instant before, int most) {
    return transactions.required(
        () -> {
          existing(name);
          return scheduleAdmin.runs(name, before == null ? END_OF_TIME : before, most);
        });
  }

  /**
   * Holds the current state of a schedule.
   *
   * @param isNew true if the schedule did not exist before
   */
  public record Defined(ScheduleView schedule, boolean isNew) {}

  /**
   * Creates or replaces a schedule.
   *
   * @param keepSwitch true to leave the schedule enabled or disabled as an operator has set it
   * @throws UnknownTypeException if no engine has ever registered the job type
   * @throws StateConflictException if code or configuration declares the schedule
   */
  public Defined define(ScheduleDefinition schedule, boolean keepSwitch) {
    return transactions.required(
        () -> {
          JobIntake.refuseReserved(Set.of(schedule.type()));
          if (Encryption.isPlaceholder(schedule.payload())) {
            throw new JobRejectedException(Encryption.PLACEHOLDER);
          }
          Set<String> unknown = jobs.unknownAmong(Set.of(schedule.type()));
          if (!unknown.isEmpty()) {
            throw new UnknownTypeException(unknown, jobs.types());
          }
          Standing before = schedules.lockDeclaration(schedule.name());
          refuseDeclared(schedule.name(), before, "changed");
          ScheduleView old = scheduleAdmin.find(schedule.name());
          schedules.define(schedule, keepSwitch);
          Map<String, Object> detail = new LinkedHashMap<>();
          detail.put("new", old == null);
          ScheduleView now = existing(schedule.name());
          detail.putAll(
              Changes.between(
                  old == null ? null : fields(old.definition()), fields(now.definition())));
          if (old != null && !old.definition().payload().equals(now.definition().payload())) {
            // The audit omits the values of the payload, because some users that can read the audit
            // are not allowed to see these values.
            detail.put("newPayload", true);
          }
          Set<String> queues = new TreeSet<>(Set.of(schedule.queue()));
          if (old != null) {
            queues.add(old.definition().queue());
          }
          audit.did("schedule.define", schedule.name(), queues, detail);
          changed();
          transactions.afterCommit(() -> warning.accept(schedule));
          return new Defined(now, old == null);
        });
  }

  /**
   * Creates or replaces a schedule of an application at run time. If the schedule exists, it stays
   * enabled or disabled.
   *
   * @throws UnknownTypeException if no engine has ever registered the job type
   * @throws StateConflictException if code or configuration declares the schedule, or if another
   *     application has defined it
   */
  public Defined define(ScheduleDefinition schedule, String application) {
    return transactions.required(
        () -> {
          requireOwn(schedule.name(), application, "changed");
          Defined defined = define(schedule, true);
          scheduleAdmin.setDefinedBy(schedule.name(), application);
          return defined;
        });
  }

  /** Finds a schedule. */
  public Optional<ScheduleView> find(String name) {
    return transactions.required(() -> Optional.ofNullable(scheduleAdmin.find(name)));
  }

  /** Returns the schedules that an application has defined at run time, ordered by name. */
  public List<ScheduleView> definedBy(String application) {
    return transactions.required(
        () -> {
          Set<String> names = Set.copyOf(scheduleAdmin.definedBy(application));
          return scheduleAdmin.all().stream()
              .filter(view -> names.contains(view.definition().name()))
              .toList();
        });
  }

  /**
   * Deletes a schedule on behalf of an application, as {@link #delete(String)} does.
   *
   * @throws StateConflictException as {@link #delete(String)}, and if another application has
   *     defined the schedule
   */
  public void delete(String name, String application) {
    transactions.required(
        () -> {
          requireOwn(name, application, "deleted");
          delete(name);
          return true;
        });
  }

  /**
   * Refuses to change a schedule of another owner. A declared schedule belongs to its owner, even
   * if none of the owner's nodes is live.
   */
  private void requireOwn(String name, String application, String verb) {
    Standing standing = schedules.lockDeclaration(name);
    Declaration declaration = standing == null ? null : standing.declaration();
    if (declaration != null) {
      throw StateConflict.declaredSchedule(name, declaration, verb);
    }
    String owner = scheduleAdmin.definer(name);
    if (owner != null && !owner.equals(application)) {
      throw StateConflict.foreignSchedule(name, owner, verb);
    }
  }

  /**
   * Deletes a schedule and its history; jobs that it has created are kept.
   *
   * @throws NotFoundException if the schedule does not exist
   * @throws StateConflictException if code or configuration declares the schedule, or if it runs a
   *     rule
   */
  public void delete(String name) {
    transactions.required(
        () -> {
          Standing standing = schedules.lockDeclaration(name);
          if (standing == null) {
            throw notFound(name);
          }
          refuseDeclared(name, standing, "deleted");
          String rule = Rule.ofSchedule(name);
          if (rule != null && rules.find(rule, QueueScope.ALL) != null) {
            throw StateConflict.filledBySchedule(name, rule);
          }
          ScheduleDefinition old = existing(name).definition();
          scheduleAdmin.delete(name);
          audit.did(
              "schedule.delete", name, List.of(old.queue()), Changes.between(fields(old), null));
          changed();
          return true;
        });
  }

  /**
   * Enables or disables a schedule until it is changed again. Runs that are planned while the
   * schedule is disabled do not count as missed.
   *
   * @throws NotFoundException if the schedule does not exist
   */
  public ScheduleView switchTo(String name, boolean enabled) {
    return transactions.required(
        () -> {
          ScheduleDefinition before = locked(name);
          scheduleAdmin.switchTo(before, enabled);
          audit.did(
              enabled ? "schedule.enable" : "schedule.disable",
              name,
              List.of(before.queue()),
              Map.of("enabled", Changes.fromTo(before.enabled(), enabled)));
          changed();
          return existing(name);
        });
  }

  /**
   * Enqueues a job of a schedule now, even if the schedule is disabled.
   *
   * @return the run
   * @throws NotFoundException if the schedule does not exist
   * @throws StateConflictException if the job of the previous run is live and runs must not overlap
   */
  public ScheduleRunView run(String name) {
    return transactions.required(
        () -> {
          // The role is checked before the schedule is locked, so that a caller without the role
          // cannot block other callers.
          AccessDeniedException.require(access, Role.OPERATOR, existing(name).definition().queue());
          ScheduleDefinition schedule = locked(name);
          // The role is checked again, because the schedule may have been moved to another queue in
          // the meantime.
          AccessDeniedException.require(access, Role.OPERATOR, existing(name).definition().queue());
          if (schedule.overlap() == Overlap.SKIP && !schedules.busy(Set.of(name)).isEmpty()) {
            throw StateConflict.overlap(name, existing(name).lastJob());
          }
          String encrypted = Encryption.whyNot(schedule.payload());
          if (encrypted != null) {
            throw new StateConflictException(encrypted);
          }
          Instant now = scheduleAdmin.insertManual(name);
          long job = enqueuer.enqueue(List.of(ScheduleFiring.job(schedule, now))).get(0).id();
          schedules.setJobs(List.of(new Fired(new Run(name, now, null, 1), job)), true);
          schedules.advance(List.of(new Schedules.Advance(name, null, job)));
          audit.did("schedule.run", name, List.of(schedule.queue()), Map.of("job", job));
          return scheduleAdmin.runs(name, now.plusNanos(1_000), 1).get(0);
        });
  }

  private static Map<String, @Nullable Object> fields(ScheduleDefinition schedule) {
    Map<String, @Nullable Object> detail = new LinkedHashMap<>();
    detail.put(
        "timing",
        schedule.timing().kind().name().toLowerCase(Locale.ROOT)
            + " "
            + schedule.timing().expression());
    detail.put("zone", schedule.timing().zone().getId());
    detail.put("type", schedule.type());
    detail.put("queue", schedule.queue());
    detail.put("priority", schedule.priority());
    detail.put("catchUp", schedule.catchUp().name());
    detail.put("catchUpCap", schedule.catchUpCap());
    detail.put("overlap", schedule.overlap().name());
    Duration latestStart = schedule.latestStart();
    detail.put("latestStart", latestStart == null ? null : latestStart.toString());
    detail.put("enabled", schedule.enabled());
    return detail;
  }

  private void changed() {
    transactions.afterCommit(signals::schedulesChanged);
  }

  private ScheduleView existing(String name) {
    ScheduleView found = scheduleAdmin.find(name);
    if (found == null) {
      throw notFound(name);
    }
    return found;
  }

  private ScheduleDefinition locked(String name) {
    ScheduleDefinition found = scheduleAdmin.lock(name);
    if (found == null) {
      throw notFound(name);
    }
    return found;
  }

  private NotFoundException notFound(String name) {
    return NotFound.schedule(name, scheduleAdmin.names(KnownNames.MOST + 1));
  }

  /**
   * Refuses to change a declared schedule. Operators may delete a declared schedule only if no live
   * node declares it.
   */
  private static void refuseDeclared(String name, @Nullable Standing standing, String verb) {
    Declaration declaration = standing == null ? null : standing.declaration();
    if (declaration != null && Objects.requireNonNull(standing).live()) {
      throw StateConflict.declaredSchedule(name, declaration, verb);
    }
  }
}
