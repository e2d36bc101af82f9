package org.readpast.admin.sql;

import org.readpast.schedule.ScheduleSql;

/** Contains the statements that read and change schedules for operators. */
public final class ScheduleAdminSql {
  private ScheduleAdminSql() {}

  /**
   * Returns (definition, owner that declares it, the owner's node, place in the code or
   * configuration, true if it fires, last job, changed at, true if a live node declares it),
   * ordered by name. Parameters: ?1 = name or null for all, ?2 and ?3 = the visible queues (see
   * {@link ScopeSql}).
   */
  public static String schedules() {
    return "select "
        + ScheduleSql.DEFINITION
        + """
        , s.declared_by, s.declared_node, s.place, %s, s.last_job, s.changed_at, %s
        from readpast_schedule s where (cast(?1 as text) is null or s.name = cast(?1 as text)) and %s order by s.name"""
            .formatted(
                ScheduleSql.FIRES, ScheduleSql.LIVE_DECLARATION, ScopeSql.sees("s.queue", 2));
  }

  /**
   * Returns (name) of the first schedules, ordered by name. Parameters: ?1 = maximum number, ?2 and
   * ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String names() {
    return "select name from readpast_schedule where %s order by name limit ?1"
        .formatted(ScopeSql.sees("queue", 2));
  }

  /**
   * Records that an application has defined a schedule at run time. Parameters: ?1 = name, ?2 =
   * application.
   */
  public static String setDefinedBy() {
    return "update readpast_schedule set defined_by = ?2 where name = ?1 and defined_by is distinct from ?2";
  }

  /**
   * Returns (application) if an application has defined the schedule at run time. Parameter: ?1 =
   * name.
   */
  public static String definer() {
    return "select defined_by from readpast_schedule where name = ?1 and defined_by is not null";
  }

  /**
   * Returns (name) of the schedules that an application has defined at run time. Parameter: ?1 =
   * application.
   */
  public static String definedBy() {
    return "select name from readpast_schedule where defined_by = ?1 order by name";
  }

  /** Locks a schedule. Returns the column (definition). Parameter: ?1 = name. */
  public static String lock() {
    return "select "
        + ScheduleSql.DEFINITION
        + " from readpast_schedule s where s.name = ?1 for update";
  }

  /** Deletes a schedule and its runs. Returns the column (name). Parameter: ?1 = name. */
  public static String delete() {
    return """
        with deleted as (
          delete from readpast_schedule where name = ?1 returning name
        ), runs as (
          delete from readpast_schedule_run where schedule in (select name from deleted)
        )
        select name from deleted""";
  }

  /**
   * Enables or disables the schedule. Parameters: ?1 = name, ?2 = true to enable, false to disable,
   * ?3 = the next planned time if it was disabled.
   */
  public static String switchTo() {
    return """
        update readpast_schedule set switched = ?2, changed_at = clock_timestamp(),
          next_at = case when coalesce(switched, enabled) then next_at else cast(?3 as timestamptz) end
        where name = ?1""";
  }

  /**
   * Records a run that an operator has started. Returns the column (planned at). Parameter: ?1 =
   * schedule.
   */
  public static String insertManualRun() {
    return """
        insert into readpast_schedule_run (schedule, planned_at, manual) values (?1, clock_timestamp(), true)
        returning planned_at""";
  }

  /**
   * Returns the latest runs of every schedule, the latest first: (schedule, planned at, true if an
   * operator started it, reason why it was skipped, job, its state). The state is null if the job
   * is no longer stored. Parameters: ?1 = maximum number for each schedule, ?2 and ?3 = the visible
   * queues (see {@link ScopeSql}).
   */
  public static String lastRuns() {
    return """
        select s.name, r.planned_at, r.manual, r.skipped, r.job_id, coalesce(
            (select h.state from readpast_job_history h where h.id = r.job_id and %2$s),
            (select j.state from readpast_job j where j.id = r.job_id and %1$s))
        from readpast_schedule s
        cross join lateral (
          select planned_at, manual, skipped, job_id from readpast_schedule_run where schedule = s.name
          order by planned_at desc, manual limit ?1) r
        where %3$s
        order by s.name, r.planned_at desc, r.manual"""
        .formatted(
            ScopeSql.sees("j.queue", 2), ScopeSql.sees("h.queue", 2), ScopeSql.sees("s.queue", 2));
  }

  /**
   * Returns the runs of a schedule, the latest first: (planned at, true if an operator started it,
   * decided at, reason why it was skipped, number of planned times covered, job, its state, first
   * started, ended, attempts, failed attempts, attempts whose owner was lost, kind, exception and
   * message of the last failure). The state is null if the job is no longer stored. Parameters: ?1
   * = schedule, ?2 = planned time before which to start, ?3 = maximum number, ?4 and ?5 = the
   * visible queues (see {@link ScopeSql}), because the schedule may have belonged to another queue.
   */
  public static String runs() {
    return """
        select r.planned_at, r.manual, r.decided_at, r.skipped, r.moments, r.job_id,
          coalesce(h.state, j.state),
          least(f.started_at, h.started_at, case when j.state = 'RUNNING' then j.claimed_at end),
          h.ended_at, coalesce(h.attempt, j.attempt),
          f.failed, f.lost, l.kind, l.exception, l.message
        from (
          select * from readpast_schedule_run where schedule = ?1 and planned_at < cast(?2 as timestamptz)
          order by planned_at desc, manual limit ?3) r
        left join readpast_job j on j.id = r.job_id and %1$s
        left join readpast_job_history h on h.id = r.job_id and %2$s
        cross join lateral (
          select count(*) as failed, count(*) filter (where kind = 'OWNER_LOST') as lost, min(started_at) as started_at
          from readpast_failure where job_id = r.job_id and (%3$s or coalesce(j.id, h.id) is not null)) f
        left join lateral (
          select kind, exception, message from readpast_failure where job_id = r.job_id and (%3$s or coalesce(j.id, h.id) is not null)
          order by id desc limit 1) l on true
        order by r.planned_at desc, r.manual"""
        .formatted(ScopeSql.sees("j.queue", 4), ScopeSql.sees("h.queue", 4), ScopeSql.seesAll(4));
  }
}
