package org.readpast.admin.store;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.admin.sql.ScheduleAdminSql;
import org.readpast.database.Sql;
import org.readpast.database.Transactions;
import org.readpast.model.QueueScope;
import org.readpast.model.ScheduleDefinition;
import org.readpast.schedule.Schedules;

/** Reads and changes schedules of the visible queues, in the current transaction. */
public final class ScheduleAdmin {
  private final Transactions transactions;
  private final Schedules schedules;
  private final QueueScope seen;

  public ScheduleAdmin(Transactions transactions, QueueScope seen) {
    this.transactions = transactions;
    this.seen = seen;
    this.schedules = new Schedules(transactions);
  }

  /** Returns every schedule, ordered by name. */
  public List<ScheduleView> all() {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleAdminSql.schedules(),
        row -> ScheduleView.read(row, transactions.encryption()),
        null,
        seen.names(),
        seen.others());
  }

  /** Returns the names of the first schedules, ordered by name. */
  public List<String> names(int most) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleAdminSql.names(),
        row -> row.text(0),
        most,
        seen.names(),
        seen.others());
  }

  /** Returns a schedule, or null if it does not exist. */
  public @Nullable ScheduleView find(String name) {
    return Sql.first(
        transactions.entityManager(),
        ScheduleAdminSql.schedules(),
        row -> ScheduleView.read(row, transactions.encryption()),
        name,
        seen.names(),
        seen.others());
  }

  /** Returns the latest runs that were planned before a given time, the latest first. */
  public List<ScheduleRunView> runs(String schedule, Instant before, int most) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleAdminSql.runs(),
        row -> ScheduleRunView.read(row, transactions.encryption()),
        schedule,
        before.atOffset(ZoneOffset.UTC),
        most,
        seen.names(),
        seen.others());
  }

  /** Returns the latest runs of each schedule by its name, the latest first. */
  public Map<String, List<LastRunView>> lastRuns(int most) {
    Map<String, List<LastRunView>> runs = new HashMap<>();
    Sql.rows(
        transactions.entityManager(),
        ScheduleAdminSql.lastRuns(),
        row ->
            runs.computeIfAbsent(row.text(0), name -> new ArrayList<>()).add(LastRunView.read(row)),
        most,
        seen.names(),
        seen.others());
    return runs;
  }

  /** Records which application has defined a schedule at run time. */
  public void setDefinedBy(String name, String application) {
    Sql.change(transactions.entityManager(), ScheduleAdminSql.setDefinedBy(), name, application);
  }

  /** Returns the application that has defined a schedule at run time, or null if none has. */
  public @Nullable String definer(String name) {
    return Sql.first(
        transactions.entityManager(), ScheduleAdminSql.definer(), row -> row.text(0), name);
  }

  /** Returns the names of the schedules that an application has defined at run time. */
  public List<String> definedBy(String application) {
    return Sql.rows(
        transactions.entityManager(),
        ScheduleAdminSql.definedBy(),
        row -> row.text(0),
        application);
  }

  /** Locks a schedule and returns it, or null if it does not exist. */
  public @Nullable ScheduleDefinition lock(String name) {
    return Sql.first(
        transactions.entityManager(),
        ScheduleAdminSql.lock(),
        row -> ScheduleView.definition(row, transactions.encryption()),
        name);
  }

  /**
   * Enables or disables a schedule. If the schedule was disabled, its runs are planned from now on.
   */
  public void switchTo(ScheduleDefinition schedule, boolean enabled) {
    Sql.change(
        transactions.entityManager(),
        ScheduleAdminSql.switchTo(),
        schedule.name(),
        enabled,
        schedule.timing().after(schedules.now()).atOffset(ZoneOffset.UTC));
  }

  /** Deletes a schedule and its runs. */
  public void delete(String name) {
    Sql.rows(transactions.entityManager(), ScheduleAdminSql.delete(), row -> true, name);
  }

  /** Records a run that an operator has started now, and returns its time. */
  public Instant insertManual(String schedule) {
    return Objects.requireNonNull(
        Sql.first(
            transactions.entityManager(),
            ScheduleAdminSql.insertManualRun(),
            row -> row.moment(0),
            schedule));
  }
}
