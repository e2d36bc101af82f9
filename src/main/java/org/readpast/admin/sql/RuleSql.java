package org.readpast.admin.sql;

/** Statements about rules: their definitions, and how what they find becomes jobs. */
public final class RuleSql {
  private RuleSql() {}

  /** The table of live jobs. */
  public static final String JOBS = "readpast_job";

  private static final String RULE =
      """
      name, search, datasource, type, queue, priority, computation, schedule, enabled, declared, changed_at,
        declared_by""";

  /**
   * 1 and 2: the queues that are seen, as {@link ScopeSql}. Gives (the definition) of every rule
   * that makes jobs there, by name.
   */
  public static String rules() {
    return "select "
        + RULE
        + " from readpast_rule where "
        + ScopeSql.sees("queue", 1)
        + " order by name";
  }

  /** 1: name, 2 and 3: the queues that are seen, as {@link ScopeSql}. Gives (its definition). */
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
   * 1 to 10: the definition, 11: owner that declares it or null. Creates or replaces it. Gives
   * (whether it is new), or nothing when it was the same before.
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

  /** 1: name. Gives (name) if there was one. */
  public static String delete() {
    return "delete from readpast_rule where name = ?1 returning name";
  }

  /** 1: name of a rule. Removes what its runs have found and not queued. */
  public static String deleteFound() {
    return "delete from readpast_rule_found where run in (select id from readpast_rule_run where rule = ?1)";
  }

  /** 1: name of a rule. */
  public static String deleteRuns() {
    return "delete from readpast_rule_run where rule = ?1";
  }

  /**
   * 1: name, 2: job. Lets this job fill the rule, unless another one does that is not through.
   * Gives (name).
   */
  public static String takeTurn() {
    return """
        update readpast_rule r set filled_by = ?2
        where name = ?1
          and (filled_by is null or filled_by = ?2 or not exists (select 1 from readpast_job where id = r.filled_by))
        returning name""";
  }

  /** 1: name, 2: job. */
  public static String endTurn() {
    return "update readpast_rule set filled_by = null where name = ?1 and filled_by = ?2";
  }

  /**
   * 1: rule, 2: job, 3: attempt, 4: when the rule was last changed. Begins a run, or takes it up
   * again where it was left; if the rule has changed since then from the beginning, as what was
   * found is not what it looks for now. Gives (id, staged, moved); nothing when the job has
   * completed it, or a later attempt has it.
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

  /** 1: rule, 2: run. Makes the rule's other runs, whose jobs have ended, search anew if reset. */
  public static String unstageOthers() {
    return "update readpast_rule_run set staged = null where rule = ?1 and id <> ?2 and staged is not null";
  }

  /** 1: rule, 2: how many. Removes objects of runs that are to search anew. Gives (run). */
  public static String clearUnstaged() {
    return """
        delete from readpast_rule_found where ctid = any(array(
          select f.ctid from readpast_rule_run r join readpast_rule_found f on f.run = r.id
          where r.rule = ?1 and r.staged is null limit ?2))
        returning run""";
  }

  /** 1: rule, 2: how many of its runs are kept. */
  public static String forgetRuns() {
    return """
        delete from readpast_rule_run where id in (
          select id from readpast_rule_run where rule = ?1 order by id desc offset ?2)
          and state <> 'RUNNING'""";
  }

  /** 1: run, 2: attempt. Gives (staged, moved) and locks the run; nothing when it is not its. */
  public static String lockRun() {
    return "select staged, moved from readpast_rule_run where id = ?1 and attempt = ?2 for update";
  }

  /** What a search is written into: a temporary table may be written in a read-only transaction. */
  public static String createObjects() {
    return """
        create temporary table readpast_object (
          place bigint not null, key varchar(185) not null, payload json not null, live boolean not null
        ) on commit drop""";
  }

  /** From here to {@link #endReadOnly()} nothing but a temporary table can be written. */
  public static String[] beginReadOnly() {
    return new String[] {"savepoint readpast_search", "set transaction read only"};
  }

  /** Ends what {@link #beginReadOnly()} began. */
  public static String endReadOnly() {
    return "release savepoint readpast_search";
  }

  /**
   * A whole transaction that only reads.
   *
   * @see #beginReadOnly()
   */
  public static String readOnly() {
    return "set transaction read only";
  }

  /** Gives no rows, but the shape of what the search gives. */
  public static String shape(String search) {
    return "select * from (\n" + search + "\n) as readpast_row limit 0";
  }

  /**
   * For JDBC, because the search is an administrator's own SQL. 1: the prefix of unique keys.
   * Writes what the search finds, in its order, and whether a live job holds the object: both as of
   * one moment, so that an object whose job ends meanwhile does not look like one without a job.
   *
   * @param jobs {@link #JOBS} with its schema: nothing may be put into the search itself
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

  /** For JDBC. Gives (key, payload) in the order of the search. */
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

  /** 1: run. Keeps what is to become jobs. */
  public static String stage() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, row_number() over (order by place), key, payload from pg_temp.readpast_object
        where not live order by place""";
  }

  /**
   * 1: run, 2: last place used, 3: prefix of unique keys, 4: keys, 5: payloads. Keeps those that no
   * live job holds. Gives (place).
   */
  public static String stageGiven() {
    return """
        insert into readpast_rule_found (run, place, key, payload)
        select ?1, ?2 + row_number() over (order by o.place), o.key, cast(o.payload as json)
        from unnest(cast(?4 as text[]), cast(?5 as text[])) with ordinality as o(key, payload, place)
        where not exists (select 1 from readpast_job where unique_key = (?3 || o.key) collate "C")
        returning place""";
  }

  /** 1: run, 2: staged or null, 3: found, 4: skipped. */
  public static String noteFound() {
    return """
        update readpast_rule_run set staged = cast(?2 as bigint), found = ?3, skipped = ?4, added = 0, moved = 0
        where id = ?1""";
  }

  /**
   * Turns staged objects into jobs, those of one range of places. 1: run, 2: last place moved, 3:
   * how many, 4: queue, 5: type, 6: priority, 7: prefix of unique keys, 8: properties or null.
   */
  public static String move() {
    // Ids and positions are drawn in the order of the search.
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

  /** 1: run, 2: last place moved, 3: how many. Removes staged objects; gives (key, payload). */
  public static String take() {
    return """
        with object as (
          delete from readpast_rule_found where run = ?1 and place > ?2 and place <= ?2 + ?3
          returning place, key, payload)
        select key, cast(payload as text) from object order by place""";
  }

  /** 1: run, 2: how many places were moved, 3: how many jobs were added, 4: how many were not. */
  public static String noteMoved() {
    return """
        update readpast_rule_run set moved = moved + ?2, added = added + ?3, skipped = skipped + ?4
        where id = ?1""";
  }

  /** 1: run, 2: attempt, 3: COMPLETED or FAILED, 4: error or null. */
  public static String endRun() {
    return """
        update readpast_rule_run set state = ?3, ended_at = clock_timestamp(), error = cast(?4 as text)
        where id = ?1 and attempt = ?2 and state = 'RUNNING'""";
  }

  /**
   * 1: rule, 2: how many. Gives (id, job, state, started at, ended at, found, added, skipped,
   * error), newest first. A run whose job has ended without its knowledge has failed.
   */
  public static String runs() {
    return """
        select r.id, r.job_id, case when r.state = 'RUNNING' and j.id is null then 'FAILED' else r.state end,
          r.started_at, r.ended_at, r.found, r.added, r.skipped, r.error
        from readpast_rule_run r left join readpast_job j on j.id = r.job_id
        where r.rule = ?1 order by r.id desc limit ?2""";
  }
}
