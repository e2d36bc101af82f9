package org.readpast.admin.sql;

/**
 * Holds the statements on rules: their definitions, and the steps that turn found objects into
 * jobs.
 */
public final class RuleSql {
  private RuleSql() {}

  /** The table of live jobs. */
  public static final String JOBS = "readpast_job";

  private static final String RULE =
      """
      name, search, datasource, type, queue, priority, computation, schedule, enabled, declared, changed_at,
        declared_by""";

  /**
   * 1 and 2: the visible queues, as {@link ScopeSql}. Gives (the definition) of every rule that
   * creates jobs in these queues, ordered by name.
   */
  public static String rules() {
    return "select "
        + RULE
        + " from readpast_rule where "
        + ScopeSql.sees("queue", 1)
        + " order by name";
  }

  /** 1: name, 2 and 3: the visible queues, as {@link ScopeSql}. Gives (its definition). */
  public static String rule() {
    return "select "
        + RULE
        + " from readpast_rule where name = ?1 and "
        + ScopeSql.sees("queue", 2);
  }

  /** 1: name. Gives (its definition), and locks it. */
  public static String lock() {
    return "select " + RULE + " from readpast_rule where name = ?1 for update";
  }

  /**
   * 1 to 10: the definition, 11: the owner that declares it or null. Creates or replaces it. Gives
   * (whether it is new), or no row if nothing has changed.
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

  /** 1: name. Gives (name) if the rule existed. */
  public static String delete() {
    return "delete from readpast_rule where name = ?1 returning name";
  }

  /** 1: name of a rule. Deletes the objects that its runs have found and not enqueued. */
  public static String deleteFound() {
    return "delete from readpast_rule_found where run in (select id from readpast_rule_run where rule = ?1)";
  }

  /** 1: name of a rule. Deletes its runs. */
  public static String deleteRuns() {
    return "delete from readpast_rule_run where rule = ?1";
  }

  /**
   * 1: name, 2: job. Gives this job the turn to run the rule, unless another job has the turn and
   * has not finished. Gives (name).
   */
  public static String takeTurn() {
    return """
        update readpast_rule r set filled_by = ?2
        where name = ?1
          and (filled_by is null or filled_by = ?2 or not exists (select 1 from readpast_job where id = r.filled_by))
        returning name""";
  }

  /** 1: name, 2: job. Ends the job's turn. */
  public static String endTurn() {
    return "update readpast_rule set filled_by = null where name = ?1 and filled_by = ?2";
  }

  /**
   * 1: rule, 2: job, 3: attempt, 4: when the rule was last changed. Begins a run, or resumes it; if
   * the rule has changed since, the run starts over, because the found objects may no longer match
   * it. Gives (id, staged, moved); no row if the job has completed the run, or a later attempt owns
   * it.
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
   * 1: rule, 2: run. Makes the rule's other runs, whose jobs have ended, search again if these jobs
   * are reset.
   */
  public static String unstageOthers() {
    return "update readpast_rule_run set staged = null where rule = ?1 and id <> ?2 and staged is not null";
  }

  /** 1: rule, 2: maximum number. Deletes objects of runs that have to search again. Gives (run). */
  public static String clearUnstaged() {
    return """
        delete from readpast_rule_found where ctid = any(array(
          select f.ctid from readpast_rule_run r join readpast_rule_found f on f.run = r.id
          where r.rule = ?1 and r.staged is null limit ?2))
        returning run""";
  }

  /** 1: rule, 2: number of its runs to keep. Deletes its older runs that have ended. */
  public static String forgetRuns() {
    return """
        delete from readpast_rule_run where id in (
          select id from readpast_rule_run where rule = ?1 order by id desc offset ?2)
          and state <> 'RUNNING'""";
  }

  /**
   * 1: run, 2: attempt. Gives (staged, moved) and locks the run; no row if the attempt does not own
   * it.
   */
  public static String lockRun() {
    return "select staged, moved from readpast_rule_run where id = ?1 and attempt = ?2 for update";
  }

  /**
   * Creates the temporary table for the result of a search: a read-only transaction can write to a
   * temporary table.
   */
  public static String createObjects() {
    return """
        create temporary table readpast_object (
          place bigint not null, key varchar(185) not null, payload json not null, live boolean not null
        ) on commit drop""";
  }

  /**
   * Begins a part of the transaction, up to {@link #endReadOnly()}, that can write only to
   * temporary tables.
   */
  public static String[] beginReadOnly() {
    return new String[] {"savepoint readpast_search", "set transaction read only"};
  }

  /** Ends what {@link #beginReadOnly()} has begun. */
  public static String endReadOnly() {
    return "release savepoint readpast_search";
  }

  /**
   * Makes a whole transaction read-only.
   *
   * @see #beginReadOnly()
   */
  public static String readOnly() {
    return "set transaction read only";
  }

  /** Gives no rows, only the columns of the search. */
  public static String shape(String search) {
    return "select * from (\n" + search + "\n) as readpast_row limit 0";
  }

  /**
   * 1: the prefix of unique keys. Writes the result of the search, in its order, and whether a live
   * job for the object exists. Both are read in one snapshot, so that an object whose job ends
   * meanwhile is not taken for one without a job. The statement is sent by JDBC, because the search
   * is an administrator's own SQL.
   *
   * @param jobs {@link #JOBS} with its schema, because the search itself must not be changed
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

  /** Gives (key, payload) in the order of the search. The statement is sent by JDBC. */
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

  /** Gives (found, live, bytes of the largest payload). */
  public static String measure() {
    return """
        select count(*), count(*) filter (where live), coalesce(max(octet_length(cast(payload as text))), 0)
        from pg_temp.readpast_object""";
  }

  /** 1: run. Stores the objects that are to become jobs. */
  public static String stage() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, row_number() over (order by place), key, payload from pg_temp.readpast_object
        where not live order by place""";
  }

  /**
   * 1: run, 2: last position used, 3: prefix of unique keys, 4: keys, 5: payloads. Stores the
   * objects for which no live job exists. Gives (position).
   */
  public static String stageGiven() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, ?2 + row_number() over (order by o.place), o.key, cast(o.payload as json)
        from unnest(cast(?4 as text[]), cast(?5 as text[])) with ordinality as o(key, payload, place)
        where not exists (select 1 from readpast_job where unique_key = (?3 || o.key) collate "C")
        returning place""";
  }

  /** 1: run, 2: staged or null, 3: found, 4: skipped. Records what the search has returned. */
  public static String noteFound() {
    return """
        update readpast_rule_run set staged = cast(?2 as bigint), found = ?3, skipped = ?4, added = 0, moved = 0
        where id = ?1""";
  }

  /**
   * 1: run, 2: last position moved, 3: number of positions, 4: queue, 5: type, 6: priority, 7:
   * prefix of unique keys, 8: properties or null. Turns the staged objects of a range of positions
   * into jobs.
   */
  public static String move() {
    // Ids and positions are assigned in the order of the search.
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
   * 1: run, 2: last position moved, 3: number of positions. Deletes staged objects. Gives (key,
   * payload).
   */
  public static String take() {
    return """
        with object as (
          delete from readpast_rule_found where run = ?1 and place > ?2 and place <= ?2 + ?3
          returning place, key, payload)
        select key, cast(payload as text) from object order by place""";
  }

  /**
   * 1: run, 2: number of positions moved, 3: number of jobs added, 4: number of jobs not added.
   * Records the progress of the run.
   */
  public static String noteMoved() {
    return """
        update readpast_rule_run set moved = moved + ?2, added = added + ?3, skipped = skipped + ?4
        where id = ?1""";
  }

  /** 1: run, 2: attempt, 3: COMPLETED or FAILED, 4: error or null. Ends the run. */
  public static String endRun() {
    return """
        update readpast_rule_run set state = ?3, ended_at = clock_timestamp(), error = cast(?4 as text)
        where id = ?1 and attempt = ?2 and state = 'RUNNING'""";
  }

  /**
   * 1: rule, 2: maximum number. Gives (id, job, state, started at, ended at, found, added, skipped,
   * error), newest first. A run whose job has ended without completing it has failed.
   */
  public static String runs() {
    return """
        select r.id, r.job_id, case when r.state = 'RUNNING' and j.id is null then 'FAILED' else r.state end,
          r.started_at, r.ended_at, r.found, r.added, r.skipped, r.error
        from readpast_rule_run r left join readpast_job j on j.id = r.job_id
        where r.rule = ?1 order by r.id desc limit ?2""";
  }

  /** 1: names of rules. Gives the columns of {@link #runs} and the rule, for its latest run. */
  public static String latestRuns() {
    return """
        select distinct on (r.rule) r.id, r.job_id,
          case when r.state = 'RUNNING' and j.id is null then 'FAILED' else r.state end,
          r.started_at, r.ended_at, r.found, r.added, r.skipped, r.error, r.rule
        from readpast_rule_run r left join readpast_job j on j.id = r.job_id
        where r.rule = any(cast(?1 as text[])) order by r.rule, r.id desc""";
  }
}
