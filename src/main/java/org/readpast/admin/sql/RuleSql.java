package org.readpast.admin.sql;

import org.readpast.schedule.ScheduleSql;

/**
 * Contains the statements about rules: their definitions, and the steps that turn found objects
 * into jobs.
 */
public final class RuleSql {
  private RuleSql() {}

  /** Names the table of live jobs. */
  public static final String JOBS = "readpast_job";

  private static final String SCHEDULE = "'rule.' || s.name";

  private static final String RULES =
      """
      select name, search, datasource, type, queue, priority, computation, schedule, enabled, declared and %s,
        changed_at, declared_by
      from readpast_rule s where\s"""
          .formatted(ScheduleSql.liveDeclaration(SCHEDULE));

  /**
   * Returns (definition) of every rule that creates jobs in visible queues, ordered by name.
   * Parameters: ?1 and ?2 = the visible queues (see {@link ScopeSql}).
   */
  public static String rules() {
    return RULES + ScopeSql.sees("queue", 1) + " order by name";
  }

  /**
   * Returns (definition) of a rule. Parameters: ?1 = name, ?2 and ?3 = the visible queues (see
   * {@link ScopeSql}).
   */
  public static String rule() {
    return RULES + "name = ?1 and " + ScopeSql.sees("queue", 2);
  }

  /** Locks a rule. Returns the column (definition). Parameter: ?1 = name. */
  public static String lock() {
    return RULES + "name = ?1 for update";
  }

  /**
   * Locks the rules that no live node declares although their owner has a live node. Returns the
   * columns (name, owner). Parameter: ?1 = time in ms for which no node must have declared the
   * rule.
   */
  public static String lockUndeclared() {
    return "select s.name, s.declared_by from readpast_rule s where "
        + ScheduleSql.undeclared(SCHEDULE)
        + " order by s.name for update of s";
  }

  /**
   * Creates or replaces a rule. Returns the column (true if the rule is new), or no row if nothing
   * has changed. Parameters: ?1 to ?10 = the definition, ?11 = the owner that declares the rule or
   * null.
   */
  public static String put() {
    return """
        insert into readpast_rule as r (name, search, datasource, type, queue, priority, computation, schedule,
          enabled, declared, declared_by)
        values (?1, ?2, cast(?3 as text), ?4, ?5, ?6, cast(?7 as text), cast(?8 as text), ?9, ?10, cast(?11 as text))
        on conflict (name) do update set search = excluded.search, datasource = excluded.datasource,
          type = excluded.type, queue = excluded.queue, priority = excluded.priority,
          computation = excluded.computation, schedule = excluded.schedule, enabled = excluded.enabled,
          declared = excluded.declared, declared_by = excluded.declared_by, changed_at = clock_timestamp()
        where (r.search, r.datasource, r.type, r.queue, r.priority, r.computation, r.schedule, r.enabled, r.declared,
            r.declared_by)
          is distinct from (excluded.search, excluded.datasource, excluded.type, excluded.queue, excluded.priority,
            excluded.computation, excluded.schedule, excluded.enabled, excluded.declared, excluded.declared_by)
        returning xmax = 0""";
  }

  /** Deletes a rule. Returns (name) if the rule existed. Parameter: ?1 = name. */
  public static String delete() {
    return "delete from readpast_rule where name = ?1 returning name";
  }

  /**
   * Deletes the objects that runs of a rule have found and not enqueued. Parameter: ?1 = name of a
   * rule.
   */
  public static String deleteFound() {
    return "delete from readpast_rule_found where run in (select id from readpast_rule_run where rule = ?1)";
  }

  /** Deletes the runs of a rule. Parameter: ?1 = name of a rule. */
  public static String deleteRuns() {
    return "delete from readpast_rule_run where rule = ?1";
  }

  /**
   * Reserves a rule for a job that is to run it, unless another job has reserved it and has not
   * finished. Returns (name) if the rule was reserved. Parameters: ?1 = name, ?2 = job.
   */
  public static String takeTurn() {
    return """
        update readpast_rule r set filled_by = ?2
        where name = ?1
          and (filled_by is null or filled_by = ?2 or not exists (select 1 from readpast_job where id = r.filled_by))
        returning name""";
  }

  /** Ends the reservation of a rule by a job. Parameters: ?1 = name, ?2 = job. */
  public static String endTurn() {
    return "update readpast_rule set filled_by = null where name = ?1 and filled_by = ?2";
  }

  /**
   * Begins or resumes a run. If the rule has changed since, the run starts over, because the found
   * objects may no longer match the rule. Returns the columns (id, staged, moved), or no row if the
   * job has completed the run or a later attempt owns it. Parameters: ?1 = rule, ?2 = job, ?3 =
   * attempt, ?4 = when the rule was last changed.
   */
  public static String beginRun() {
    return """
        insert into readpast_rule_run as r (rule, job_id, attempt) values (?1, ?2, ?3)
        on conflict (job_id) do update set attempt = excluded.attempt, state = 'RUNNING', ended_at = null, error = null,
          staged = case when r.started_at >= cast(?4 as timestamptz) then r.staged end,
          started_at = case when r.started_at >= cast(?4 as timestamptz) then r.started_at else clock_timestamp() end
        where r.state <> 'COMPLETED' and r.attempt <= excluded.attempt
        returning id, staged, moved""";
  }

  /**
   * Makes other runs of a rule, whose jobs have ended, repeat the search if their jobs are reset.
   * Parameters: ?1 = rule, ?2 = run.
   */
  public static String unstageOthers() {
    return "update readpast_rule_run set staged = null where rule = ?1 and id <> ?2 and staged is not null";
  }

  /**
   * Deletes found objects of runs that have to repeat the search. Returns the column (run).
   * Parameters: ?1 = rule, ?2 = maximum number.
   */
  public static String clearUnstaged() {
    return """
        delete from readpast_rule_found where ctid = any(array(
          select f.ctid from readpast_rule_run r join readpast_rule_found f on f.run = r.id
          where r.rule = ?1 and r.staged is null limit ?2))
        returning run""";
  }

  /** Deletes old ended runs of a rule. Parameters: ?1 = rule, ?2 = number of runs to keep. */
  public static String forgetRuns() {
    return """
        delete from readpast_rule_run where id in (
          select id from readpast_rule_run where rule = ?1 order by id desc offset ?2)
          and state <> 'RUNNING'""";
  }

  /**
   * Locks a run. Returns the columns (staged, moved), or no row if the attempt does not own the
   * run. Parameters: ?1 = run, ?2 = attempt.
   */
  public static String lockRun() {
    return "select staged, moved from readpast_rule_run where id = ?1 and attempt = ?2 for update";
  }

  /**
   * Creates a temporary table for the result of a search, because a read-only transaction can write
   * only to temporary tables.
   */
  public static String createObjects() {
    return """
        create temporary table readpast_object (
          place bigint not null, key varchar(185) not null, payload json not null, live boolean not null
        ) on commit drop""";
  }

  /**
   * Begins a read-only part of the transaction, up to {@link #endReadOnly()}. In the read-only
   * part, only temporary tables can be changed.
   */
  public static String[] beginReadOnly() {
    return new String[] {"savepoint readpast_search", "set transaction read only"};
  }

  /** Ends the read-only part that {@link #beginReadOnly()} has begun. */
  public static String endReadOnly() {
    return "release savepoint readpast_search";
  }

  /**
   * Makes the whole transaction read-only.
   *
   * @see #beginReadOnly()
   */
  public static String readOnly() {
    return "set transaction read only";
  }

  /** Returns no rows, only the columns of the search. */
  public static String shape(String search) {
    return "select * from (\n" + search + "\n) as readpast_row limit 0";
  }

  /**
   * Stores the result of the search, in its order, and for each object whether a live job exists.
   * The result and the jobs are read in one snapshot, so that an object whose job ends in the
   * meantime does not look like one without a job. The statement is sent by JDBC, because the
   * search is an administrator's own SQL. Parameter: ?1 = prefix of the unique keys.
   *
   * @param jobs {@link #JOBS} with its schema, which cannot be added to the finished statement,
   *     because the text of the search must stay unchanged
   */
  public static String search(String search, String keyColumn, String jobs) {
    return """
        insert into pg_temp.readpast_object (place, key, payload, live)
        select o.place, o.key, o.payload, j.unique_key is not null
        from (
          select row_number() over () as place, cast(readpast_row.%s as text) as key,
            row_to_json(readpast_row) as payload
          from (
        %s
          ) as readpast_row
        ) o
        left join %s j on j.unique_key = (? || o.key) collate "C\""""
        .formatted(quoted(keyColumn), search, jobs);
  }

  /** Returns (key, payload) in the order of the search. The statement is sent by JDBC. */
  public static String stream(String search, String keyColumn) {
    return """
        select cast(readpast_row.%s as text), cast(row_to_json(readpast_row) as text)
        from (
        %s
        ) as readpast_row"""
        .formatted(quoted(keyColumn), search);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"").replace("?", "??") + '"';
  }

  /**
   * Returns the columns (number of found objects, number of live jobs, bytes of the largest
   * payload).
   */
  public static String measure() {
    return """
        select count(*), count(*) filter (where live), coalesce(max(octet_length(cast(payload as text))), 0)
        from pg_temp.readpast_object""";
  }

  /** Stores the found objects that are to become jobs. Parameter: ?1 = run. */
  public static String stage() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, row_number() over (order by place), key, payload from pg_temp.readpast_object
        where not live order by place""";
  }

  /**
   * Stores the given objects, except those for which a live job exists. Returns the column
   * (position). Parameters: ?1 = run, ?2 = last position used, ?3 = prefix of the unique keys, ?4 =
   * keys, ?5 = payloads.
   */
  public static String stageGiven() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, ?2 + row_number() over (order by o.place), o.key, cast(o.payload as json)
        from unnest(cast(?4 as text[]), cast(?5 as text[])) with ordinality as o(key, payload, place)
        where not exists (select 1 from readpast_job where unique_key = (?3 || o.key) collate "C")
        returning place""";
  }

  /**
   * Records the counts of the objects that the search of a run has returned. Parameters: ?1 = run,
   * ?2 = number of staged objects or null, ?3 = number of found objects, ?4 = number of skipped
   * objects.
   */
  public static String noteFound() {
    return """
        update readpast_rule_run set staged = cast(?2 as bigint), found = ?3, skipped = ?4, added = 0, moved = 0
        where id = ?1""";
  }

  /**
   * Turns a number of staged objects into jobs. Parameters: ?1 = run, ?2 = position after which to
   * start, ?3 = number of positions, ?4 = queue, ?5 = type, ?6 = priority, ?7 = prefix of the
   * unique keys, ?8 = properties or null.
   */
  public static String move() {
    // Ids and positions are assigned in the order in which the search returns the objects.
    return """
        with object as materialized (
          delete from readpast_rule_found where run = ?1 and place > ?2 and place <= ?2 + ?3
          returning place, key, payload
        ), job as materialized (
          select nextval('readpast_job_id') as id, nextval('readpast_position') as position,
            clock_timestamp() as now_, o.*
          from (select * from object order by place offset 0) o
        ), added as (
          insert into readpast_job (id, queue, type, priority, state, position, available_at, enqueued_at,
            unique_key, properties, payload)
          select id, ?4, ?5, ?6, 'AVAILABLE', position, now_, now_, ?7 || key, cast(?8 as json), payload
          from job order by id
          on conflict (unique_key) where unique_key is not null do nothing
          returning id
        ), counts as (
          select (select count(*) from object) as objects, (select count(*) from added) as jobs
        )
        update readpast_rule_run set moved = moved + ?3, added = added + jobs, skipped = skipped + objects - jobs
        from counts where readpast_rule_run.id = ?1""";
  }

  /**
   * Returns (position, bytes) of staged objects: of all, or only of the encrypted ones. Parameters:
   * ?1 = run, ?2 = position after which to start, ?3 = number of positions, ?4 = true for all
   * objects, ?5 = prefix of encrypted content, ?6 = maximum number.
   */
  public static String transferred() {
    return """
        select place, octet_length(cast(payload as text)) from readpast_rule_found
        where run = ?1 and place > ?2 and place <= ?2 + ?3
          and (cast(?4 as boolean) or starts_with(cast(payload as text), ?5))
        order by place limit ?6""";
  }

  /**
   * Deletes a number of staged objects. Returns the columns (key, payload). Parameters: ?1 = run,
   * ?2 = position after which to start, ?3 = number of positions.
   */
  public static String take() {
    return """
        with object as (
          delete from readpast_rule_found where run = ?1 and place > ?2 and place <= ?2 + ?3
          returning place, key, payload)
        select key, cast(payload as text) from object order by place""";
  }

  /**
   * Records the progress of a run. Parameters: ?1 = run, ?2 = number of positions processed, ?3 =
   * number of jobs added, ?4 = number of objects for which no job was added.
   */
  public static String noteMoved() {
    return """
        update readpast_rule_run set moved = moved + ?2, added = added + ?3, skipped = skipped + ?4
        where id = ?1""";
  }

  /**
   * Ends a run. Parameters: ?1 = run, ?2 = attempt, ?3 = COMPLETED or FAILED, ?4 = error or null.
   */
  public static String endRun() {
    return """
        update readpast_rule_run set state = ?3, ended_at = clock_timestamp(), error = cast(?4 as text)
        where id = ?1 and attempt = ?2 and state = 'RUNNING'""";
  }

  /**
   * Returns (rule, id, job, state, started at, ended at, found, added, skipped, error) of the runs
   * of rules, newest first. If the job of a run has ended without completing the run, the run is
   * shown as FAILED. Parameters: ?1 = rules, ?2 = maximum number for each rule.
   */
  public static String runs() {
    return """
        select r.rule, r.id, r.job_id, case when r.state = 'RUNNING' and j.id is null then 'FAILED' else r.state end,
          r.started_at, r.ended_at, r.found, r.added, r.skipped, r.error
        from unnest(cast(?1 as text[])) u(rule)
        cross join lateral (
          select * from readpast_rule_run where rule = u.rule order by id desc limit cast(?2 as int)) r
        left join readpast_job j on j.id = r.job_id
        order by r.id desc""";
  }
}
