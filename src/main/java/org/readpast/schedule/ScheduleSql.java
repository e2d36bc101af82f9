package org.readpast.schedule;

/** Contains the statements about schedules and their runs. */
public final class ScheduleSql {
  private ScheduleSql() {}

  public static final String DEFINITION =
      """
      s.name, s.kind, s.expression, s.zone, s.anchor, s.type, s.queue, s.priority, cast(s.payload as text), s.catch_up,
        s.catch_up_cap, s.overlap, s.latest_start_ms, coalesce(s.switched, s.enabled), s.next_at""";

  private static final String LIVE = "n.state in ('ACTIVE', 'STOPPING')";

  /**
   * Is true if the planned runs of the schedule s are enqueued. If an application declares the
   * schedule, it fires only while a live node declares it, because otherwise there might be no
   * handler. The catch-up setting determines what happens to runs that were planned in the
   * meantime.
   */
  public static final String FIRES =
      """
      (coalesce(s.switched, s.enabled) and (s.declared_by is null or exists (
          select 1 from readpast_schedule_declaration d join readpast_node n on n.no = d.node
          where d.schedule = s.name and d.owner = s.declared_by and d.fingerprint = s.fingerprint and %s)))"""
          .formatted(LIVE);

  /** Is true if a live node declares the schedule s, in any definition. */
  public static final String LIVE_DECLARATION = liveDeclaration("s.name");

  /** Returns a condition: a live node declares the schedule with this name, in any definition. */
  public static String liveDeclaration(String name) {
    return """
      exists (
          select 1 from readpast_schedule_declaration d join readpast_node n on n.no = d.node
          where d.schedule = %s and %s)"""
        .formatted(name, LIVE);
  }

  /**
   * Returns a condition on s, which is a schedule or a rule whose schedule has this name: no live
   * node has declared it for ?1 ms although its owner has a live node. If the owner has no live
   * node, the application is down, and its schedules resume later.
   */
  public static String undeclared(String name) {
    return """
      s.declared_by is not null and not %1$s
            and exists (select 1 from readpast_node n where n.owner = s.declared_by and %2$s)
            and coalesce(
                (select max(n.ended_at) from readpast_schedule_declaration d join readpast_node n on n.no = d.node
                  where d.schedule = %3$s), s.changed_at)
              < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'"""
        .formatted(liveDeclaration(name), LIVE, name);
  }

  /** Returns the column (now). */
  public static String now() {
    return "select clock_timestamp()";
  }

  /**
   * Creates or redefines a schedule. If the timing is unchanged and the schedule is enabled, its
   * next planned time stays unchanged, so that a restart loses no missed runs. Returns one row.
   * Parameters: ?1 = name, ?2 = kind, ?3 = expression, ?4 = zone, ?5 = anchor, ?6 = type, ?7 =
   * queue, ?8 = priority, ?9 = payload, ?10 = catch_up, ?11 = catch_up_cap, ?12 = overlap, ?13 =
   * latest start in ms or null, ?14 = enabled, ?15 = owner that declares the schedule or null, ?16
   * = the owner's node, ?17 = place in the code or configuration, ?18 = fingerprint of the
   * declaration, ?19 = next planned time, ?20 = true to leave the schedule enabled or disabled as
   * an operator has set it.
   */
  public static String define() {
    return """
        insert into readpast_schedule as s (name, kind, expression, zone, anchor, type, queue, priority, payload, catch_up,
          catch_up_cap, overlap, latest_start_ms, enabled, declared_by, declared_node, place, fingerprint, next_at)
        values (?1, ?2, ?3, ?4, cast(?5 as timestamptz), ?6, ?7, cast(?8 as smallint), cast(?9 as json), ?10,
          ?11, ?12, cast(?13 as bigint), ?14, cast(?15 as text), cast(?16 as text), cast(?17 as text),
          cast(?18 as text), cast(?19 as timestamptz))
        on conflict (name) do update set kind = excluded.kind, expression = excluded.expression, zone = excluded.zone,
          anchor = excluded.anchor, type = excluded.type, queue = excluded.queue, priority = excluded.priority,
          payload = excluded.payload, catch_up = excluded.catch_up, catch_up_cap = excluded.catch_up_cap,
          overlap = excluded.overlap, latest_start_ms = excluded.latest_start_ms, enabled = excluded.enabled,
          declared_by = excluded.declared_by, declared_node = excluded.declared_node, place = excluded.place,
          fingerprint = excluded.fingerprint, changed_at = clock_timestamp(),
          switched = case when cast(?20 as boolean) then s.switched end,
          next_at = case
            when (s.kind, s.expression, s.zone, s.anchor)
              is distinct from (excluded.kind, excluded.expression, excluded.zone, excluded.anchor)
              or not coalesce(s.switched, s.enabled) then excluded.next_at
            else s.next_at end
        returning 1""";
  }

  /**
   * Locks a schedule. Returns the columns (owner that declares it, the owner's node, place in the
   * code or configuration, true if a live node declares it). Parameter: ?1 = name.
   */
  public static String lockDeclaration() {
    return """
        select s.declared_by, s.declared_node, s.place, %s
        from readpast_schedule s where s.name = ?1 for update of s"""
        .formatted(LIVE_DECLARATION);
  }

  /**
   * Records the declarations of a node, each with the time at which its owner first declared this
   * definition. If an old version of an application starts again, its definitions therefore stay
   * older than those of the new version. Records of ended nodes are replaced. Parameters: ?1 =
   * owner, ?2 = node; arrays of equal length: ?3 = schedules, ?4 = fingerprints, ?5 = places.
   */
  public static String declare() {
    return """
        with mine as (
          select * from unnest(cast(?3 as text[]), cast(?4 as text[]), cast(?5 as text[])) u(schedule, fingerprint, place)
        ), known as (
          select d.schedule, min(d.since) as since
          from readpast_schedule_declaration d join mine m on m.schedule = d.schedule and m.fingerprint = d.fingerprint
          where d.owner = ?1 group by d.schedule
        ), ended as (
          delete from readpast_schedule_declaration d using mine m
          where d.owner = ?1 and d.schedule = m.schedule and d.fingerprint = m.fingerprint
            and not exists (select 1 from readpast_node n where n.no = d.node and %s)
        )
        insert into readpast_schedule_declaration (schedule, node, owner, fingerprint, place, since)
        select m.schedule, ?2, ?1, m.fingerprint, m.place, coalesce(k.since, clock_timestamp())
        from mine m left join known k on k.schedule = m.schedule"""
        .formatted(LIVE);
  }

  /**
   * Finds declarations of other owners. Returns the columns (name, another owner with a live node
   * that declares it, node, place in the code or configuration, fingerprint). Parameters: ?1 =
   * owner, ?2 = names.
   */
  public static String otherOwners() {
    return """
        select distinct on (d.schedule) d.schedule, d.owner, n.name, d.place, d.fingerprint
        from readpast_schedule_declaration d join readpast_node n on n.no = d.node
        where d.owner <> ?1 and d.schedule = any(cast(?2 as text[])) and %s
        order by d.schedule, d.since desc, d.node"""
        .formatted(LIVE);
  }

  // The time since which the planned runs of schedule s have not been enqueued, or the current
  // time. If the schedule is disabled, its planned runs must not be enqueued later, so the result
  // is the current time.
  private static final String STANDS_STILL_SINCE =
      """
      case when coalesce(s.switched, s.enabled) then least(clock_timestamp(), s.next_at, (
          select max(n.ended_at) from readpast_schedule_declaration x join readpast_node n on n.no = x.node
          where x.schedule = s.name and x.owner = s.declared_by and x.fingerprint = s.fingerprint and not %s))
        else clock_timestamp() end"""
          .formatted(FIRES);

  /**
   * Finds the declarations that should apply but do not apply yet. Among the definitions that live
   * nodes declare, the one whose first declaration is the most recent applies. The planned times of
   * a definition count from the end of the last node with the previous definition, because the
   * schedule has not fired since. Returns the columns (name, owner, fingerprint, time from which
   * planned times count). Parameter: ?1 = names.
   */
  public static String toApply() {
    return """
        select d.schedule, d.owner, d.fingerprint, %2$s from (
          select distinct on (d.schedule) d.schedule, d.owner, d.fingerprint
          from readpast_schedule_declaration d left join readpast_node n on n.no = d.node
          where d.schedule = any(cast(?1 as text[]))
          group by d.schedule, d.owner, d.fingerprint
          having bool_or(%1$s)
          order by d.schedule, min(d.since) desc, d.owner, d.fingerprint) d
        left join readpast_schedule s on s.name = d.schedule
        where (s.declared_by, s.fingerprint) is distinct from (d.owner, d.fingerprint)
        order by d.schedule"""
        .formatted(LIVE, STANDS_STILL_SINCE);
  }

  /**
   * Deletes schedules that no live node declares although their owner has a live node. Returns the
   * columns (name, owner). Parameter: ?1 = time in ms for which no node must have declared the
   * schedule.
   */
  public static String withdraw() {
    return """
        with deleted as (
          delete from readpast_schedule s
          where %s
          returning name, declared_by
        ), runs as (
          delete from readpast_schedule_run where schedule in (select name from deleted)
        )
        select name, declared_by from deleted order by name"""
        .formatted(undeclared("s.name"));
  }

  /** Deletes declarations of nodes whose rows were deleted. */
  public static String pruneDeclarations() {
    return "delete from readpast_schedule_declaration where node not in (select no from readpast_node)";
  }

  /**
   * Finds and locks the enabled schedules whose next planned time has been reached. Returns the
   * columns (definition, now). Parameters: ?1 = current time, or null for the database's clock, ?2
   * = maximum number, ?3 = names to skip.
   */
  public static String due() {
    return "select "
        + DEFINITION
        + """
        , n.now_
        from readpast_schedule s
        cross join (select coalesce(cast(?1 as timestamptz), clock_timestamp()) as now_ offset 0) n
        where %s and s.next_at <= n.now_ and s.name <> all(cast(?3 as text[]))
        order by s.next_at, s.name limit ?2
        for update of s skip locked"""
            .formatted(FIRES);
  }

  /**
   * Finds the next planned time. Returns the column (ms until the next planned time), or no row.
   * Parameters: ?1 = current time, or null for the database's clock, ?2 = names to skip.
   */
  public static String nextDue() {
    return """
        select cast(ceil(extract(epoch from s.next_at - coalesce(cast(?1 as timestamptz), clock_timestamp())) * 1000) as bigint)
        from readpast_schedule s where %s and s.name <> all(cast(?2 as text[]))
        order by s.next_at limit 1"""
        .formatted(FIRES);
  }

  /**
   * Finds the schedules whose latest job is live. Returns the column (name). Parameter: ?1 = names.
   */
  public static String busy() {
    // The statement is separate, because only a statement that begins after the lock was acquired
    // sees a job that another node has enqueued.
    return """
        select s.name from readpast_schedule s join readpast_job j on j.id = s.last_job
        where s.name = any(cast(?1 as text[]))""";
  }

  /**
   * Records decisions about planned times. Returns (schedule, planned at) of the planned times that
   * had not been decided before. Parameters: arrays of equal length: ?1 = schedules, ?2 = planned
   * times, ?3 = reasons why skipped or null, ?4 = number of planned times.
   */
  public static String insertRuns() {
    return """
        insert into readpast_schedule_run (schedule, planned_at, skipped, moments)
        select * from unnest(cast(?1 as text[]), cast(?2 as timestamptz[]), cast(?3 as text[]), cast(?4 as int[]))
        on conflict do nothing returning schedule, planned_at""";
  }

  /**
   * Stores the jobs of runs. Parameters: arrays of equal length: ?1 = schedules, ?2 = planned
   * times, ?3 = jobs; ?4 = true for runs that a user has started.
   */
  public static String setJobs() {
    return """
        update readpast_schedule_run r set job_id = e_job
        from unnest(cast(?1 as text[]), cast(?2 as timestamptz[]), cast(?3 as bigint[])) as e(e_name, e_at, e_job)
        where r.schedule = e_name and r.planned_at = e_at and r.manual = cast(?4 as boolean)""";
  }

  /**
   * Advances schedules. Parameters: arrays of equal length: ?1 = schedules, ?2 = next planned
   * times, ?3 = latest jobs or null.
   */
  public static String advance() {
    return """
        update readpast_schedule s set next_at = coalesce(e_next, next_at), last_job = coalesce(e_job, last_job)
        from unnest(cast(?1 as text[]), cast(?2 as timestamptz[]), cast(?3 as bigint[])) as e(e_name, e_next, e_job)
        where s.name = e_name""";
  }

  /**
   * Finds the schedules that created jobs. Returns (job, schedule or null, planned at, number of
   * lost owners) of each job. Parameter: ?1 = jobs.
   */
  public static String originsOf() {
    return """
        select u.id, r.schedule, r.planned_at, f.lost
        from unnest(cast(?1 as bigint[])) as u(id)
        left join readpast_schedule_run r on r.job_id = u.id
        cross join lateral (
          select count(*) as lost from readpast_failure where job_id = u.id and kind = 'OWNER_LOST') f""";
  }

  /**
   * Deletes runs that are older than a week. Returns the column (schedule). Parameters: ?1 = number
   * of runs of each schedule that are always kept, ?2 = maximum number to delete.
   */
  public static String pruneRuns() {
    return """
        delete from readpast_schedule_run where (schedule, planned_at, manual) in (
          select o.schedule, o.planned_at, o.manual from readpast_schedule s
          cross join lateral (
            select planned_at from readpast_schedule_run where schedule = s.name
            order by planned_at desc offset ?1 limit 1) kept
          cross join lateral (
            select schedule, planned_at, manual from readpast_schedule_run
            where schedule = s.name and planned_at <= kept.planned_at
              and planned_at < (select clock_timestamp()) - interval '7 days'
            order by planned_at limit ?2 for update skip locked) o
          limit ?2)
        returning schedule""";
  }
}
