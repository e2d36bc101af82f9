package org.readpast.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.readpast.api.CatchUp;
import org.readpast.api.Overlap;
import org.readpast.database.Row;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.EncryptedException;
import org.readpast.model.EncryptionContext;
import org.readpast.model.Firing;
import org.readpast.model.ScheduleDefinition;
import org.readpast.model.Timing;

/** Reads and changes schedules and their runs, in the current transaction. */
public final class Schedules {
  private final Transactions transactions;

  public Schedules(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Describes the declaration of a schedule in code or configuration.
   *
   * @param owner the name of the application, see {@link org.readpast.model.Owner#name}
   * @param node the name of the node whose definition applies
   * @param place the place in the application, in up to 300 characters
   */
  public record Declaration(String owner, String node, String place) {
    public static @Nullable Declaration read(Row row, int column) {
      return row.isNull(column)
          ? null
          : new Declaration(row.text(column), row.text(column + 1), row.text(column + 2));
    }
  }

  /**
   * Holds the declaration that applies to a schedule, and whether a live node declares the
   * schedule.
   */
  public record Standing(@Nullable Declaration declaration, boolean live) {}

  /** Holds the name of a schedule or rule, and the application that declares it. */
  public record Owned(String name, String owner) {}

  /** Holds a declaration of one node. */
  record NodeDeclaration(String name, String fingerprint, String place) {}

  /** Holds a declaration of the same name by another application. */
  record OtherDeclaration(String name, Declaration declaration, String fingerprint) {}

  /**
   * Holds a planned time of a schedule, and the reason why no job is enqueued; {@code skipped} is
   * null if a job is enqueued.
   */
  public record Run(String schedule, Instant at, Firing.@Nullable Reason skipped, int moments) {}

  /** Holds a run and its job. */
  public record Fired(Run run, long job) {}

  /**
   * Holds the time from which a schedule continues; a null {@code job} leaves its latest job
   * unchanged.
   */
  public record Advance(String schedule, @Nullable Instant next, @Nullable Long job) {}

  /**
   * Describes a schedule that is due.
   *
   * @param planned the first planned time that has not been decided yet
   * @param definition reads the schedule; throws an exception if this version does not understand
   *     it, which must not stop other schedules
   */
  public record Due(
      String name, Instant planned, Instant now, Supplier<ScheduleDefinition> definition) {}

  /**
   * Holds the schedule that created a job, if there is one, and how often the job has lost its
   * owner so far.
   */
  public record Origin(
      long job, @Nullable String schedule, @Nullable Instant plannedAt, int ownersLost) {}

  /** Returns the time of the database's clock. */
  public Instant now() {
    return Objects.requireNonNull(
        Sql.first(transactions.entityManager(), ScheduleSql.now(), row -> row.moment(0)));
  }

  /**
   * Creates or redefines a schedule that no application declares.
   *
   * @param keepSwitch true to leave the schedule enabled or disabled as an operator has set it
   */
  public void define(ScheduleDefinition schedule, boolean keepSwitch) {
    define(schedule, null, null, now(), keepSwitch);
  }

  /**
   * Creates or redefines a schedule.
   *
   * @param declaration the declaration, or null if no application declares the schedule
   * @param fingerprint the fingerprint of the declaration, or null if there is none
   * @param from the time from which planned times count if the timing changes
   * @param keepSwitch true to leave the schedule enabled or disabled as an operator has set it
   */
  void define(
      ScheduleDefinition schedule,
      @Nullable Declaration declaration,
      @Nullable String fingerprint,
      Instant from,
      boolean keepSwitch) {
    Timing timing = schedule.timing();
    Duration latestStart = schedule.latestStart();
    Sql.rows(
        transactions.entityManager(),
        ScheduleSql.define(),
        row -> true,
        schedule.name(),
        timing.kind().name(),
        timing.expression(),
        timing.zone().getId(),
        Sql.utc(timing.anchor()),
        schedule.type(),
        schedule.queue(),
        schedule.priority(),
        transactions
            .encryption()
            .sealJson(EncryptionContext.schedule(schedule.name()), schedule.payload()),
        schedule.catchUp().name(),
        schedule.catchUpCap(),
        schedule.overlap().name(),
        latestStart == null ? null : latestStart.toMillis(),
        schedule.enabled(),
        declaration == null ? null : declaration.owner(),
        declaration == null ? null : declaration.node(),
        declaration == null ? null : declaration.place(),
        fingerprint,
        // A planned time that equals {@code from} counts.
        Sql.utc(timing.after(from.minusNanos(1_000))),
        keepSwitch);
  }

  /** Locks a schedule and returns its declaration, or null if the schedule does not exist. */
  public @Nullable Standing lockDeclaration(String name) {
    return Sql.first(
        transactions.entityManager(),
        ScheduleSql.lockDeclaration(),
        row -> new Standing(Declaration.read(row, 0), row.flag(3)),
        name);
  }

  /** Records the declarations of a node; all of them have the same owner. */
  void declare(String owner, int node, List<NodeDeclaration> declared) {
    Sql.change(
        transactions.entityManager(),
        ScheduleSql.declare(),
        owner,
        node,
        texts(declared, NodeDeclaration::name),
        texts(declared, NodeDeclaration::fingerprint),
        texts(declared, NodeDeclaration::place));
  }

  /**
   * Returns the given schedules that live nodes of another owner declare, each with one of these
   * declarations.
   */
  List<OtherDeclaration> declaredByOthers(String owner, Collection<String> names) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleSql.otherOwners(),
        row ->
            new OtherDeclaration(
                row.text(0), new Declaration(row.text(1), row.text(2), row.text(3)), row.text(4)),
        owner,
        names.toArray(String[]::new));
  }

  /**
   * Describes a declaration that should apply but does not apply yet.
   *
   * @param from the time from which planned times of the schedule count
   */
  record ToApply(String name, String owner, String fingerprint, Instant from) {}

  /**
   * Returns the declarations by live nodes that should apply to the given schedules but do not
   * apply yet.
   */
  List<ToApply> toApply(Collection<String> names) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleSql.toApply(),
        row -> new ToApply(row.text(0), row.text(1), row.text(2), row.moment(3)),
        (Object) names.toArray(String[]::new));
  }

  /**
   * Deletes and returns the schedules that no live node has declared for the given time although
   * their owner has a live node.
   */
  List<Owned> withdraw(Duration undeclared) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleSql.withdraw(),
        row -> new Owned(row.text(0), row.text(1)),
        undeclared.toMillis());
  }

  /**
   * Locks and returns the schedules whose next planned time has been reached.
   *
   * @param now the current time, or null to use the database's clock
   */
  public List<Due> due(@Nullable Instant now, int most, Collection<String> except) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleSql.due(),
        row -> new Due(row.text(0), row.moment(14), row.moment(15), () -> definition(row)),
        now == null ? null : Sql.utc(now),
        most,
        except.toArray(String[]::new));
  }

  /** Returns the time until the next planned time of any schedule, or null if there is none. */
  public @Nullable Duration nextDue(@Nullable Instant now, Collection<String> except) {
    return Sql.first(
        transactions.entityManager(),
        ScheduleSql.nextDue(),
        row -> Duration.ofMillis(row.number(0)),
        now == null ? null : Sql.utc(now),
        except.toArray(String[]::new));
  }

  /** Returns the schedules whose latest job has not ended; the schedules must be locked before. */
  public Set<String> busy(Collection<String> names) {
    return names.isEmpty()
        ? Set.of()
        : Set.copyOf(
            Sql.rows(
                transactions.entityManager(),
                ScheduleSql.busy(),
                row -> row.text(0),
                (Object) names.toArray(String[]::new)));
  }

  /**
   * Records decisions about planned times, and returns the runs that had not been decided before.
   */
  public List<Run> insert(List<Run> runs) {
    record Place(String schedule, Instant at) {}
    if (runs.isEmpty()) {
      return runs;
    }
    Set<Place> inserted =
        new HashSet<>(
            Sql.rows(
                transactions.entityManager(),
                ScheduleSql.insertRuns(),
                row -> new Place(row.text(0), row.moment(1)),
                texts(runs, Run::schedule),
                texts(runs, run -> run.at().toString()),
                texts(runs, run -> Objects.toString(run.skipped(), null)),
                runs.stream().map(Run::moments).toArray(Integer[]::new)));
    return runs.stream()
        .filter(run -> inserted.contains(new Place(run.schedule(), run.at())))
        .toList();
  }

  /** Records the jobs that were enqueued for runs. */
  public void setJobs(List<Fired> fired, boolean manual) {
    if (!fired.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          ScheduleSql.setJobs(),
          texts(fired, f -> f.run().schedule()),
          texts(fired, f -> f.run().at().toString()),
          fired.stream().map(Fired::job).toArray(Long[]::new),
          manual);
    }
  }

  /** Advances schedules. */
  public void advance(List<Advance> schedules) {
    if (!schedules.isEmpty()) {
      Sql.change(
          transactions.entityManager(),
          ScheduleSql.advance(),
          texts(schedules, Advance::schedule),
          texts(schedules, a -> Objects.toString(a.next(), null)),
          schedules.stream().map(Advance::job).toArray(Long[]::new));
    }
  }

  /** Returns the schedules that created jobs. */
  public List<Origin> originsOf(Collection<Long> jobs) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleSql.originsOf(),
        row -> new Origin(row.number(0), row.textOrNull(1), row.momentOrNull(2), row.integer(3)),
        (Object) jobs.toArray(Long[]::new));
  }

  /**
   * Reads the columns of {@link ScheduleSql#DEFINITION}.
   *
   * @throws EncryptedException if this application cannot decrypt the payload
   */
  public ScheduleDefinition definition(Row row) {
    return definition(
        row,
        (name, stored) ->
            transactions.encryption().openJson(EncryptionContext.schedule(name), stored));
  }

  private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> field) {
    return rows.stream().map(field).toArray(String[]::new);
  }

  /**
   * Reads the columns of {@link ScheduleSql#DEFINITION}.
   *
   * @param payload returns the payload of a schedule from the schedule's name and the stored
   *     payload
   */
  public static ScheduleDefinition definition(Row row, BinaryOperator<String> payload) {
    Long latestStart = row.numberOrNull(12);
    return new ScheduleDefinition(
        row.text(0),
        Timing.of(
            Timing.Form.valueOf(row.text(1)), row.text(2), Timing.zone(row.text(3)), row.moment(4)),
        row.text(5),
        row.text(6),
        row.integer(7),
        payload.apply(row.text(0), row.text(8)),
        CatchUp.valueOf(row.text(9)),
        row.integer(10),
        Overlap.valueOf(row.text(11)),
        latestStart == null ? null : Duration.ofMillis(latestStart),
        row.flag(13));
  }
}
