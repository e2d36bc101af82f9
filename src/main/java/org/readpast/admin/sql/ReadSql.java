package org.readpast.admin.sql;

/** Contains the statements that only read. */
public final class ReadSql {
  private ReadSql() {}

  static final String LIVE =
      """
      select j.id, j.queue, j.type, j.state,
        j.priority, j.attempt,
        j.max_attempts, j.unique_key, j.correlation_id, j.properties,
        o.id as node, j.enqueued_at, j.available_at, j.expires_at,
        case when j.state = 'RUNNING' then j.claimed_at end as started_at,
        cast(null as timestamptz) as ended_at, j.group_key, j.batch, j.wave,
        case when j.state = 'BLOCKED' then j.waits_for end as waits_for, j.payload, j.content_type,
        cast(null as json) as result, coalesce(j.uncounted, 0) as uncounted, j.enqueued_by
      from readpast_job j
      left join readpast_node o on o.no = j.owner
      """;

  static final String ENDED =
      """
      select h.id, h.queue, h.type, h.state,
        h.priority, h.attempt,
        h.max_attempts, h.unique_key, h.correlation_id, h.properties,
        n.id, h.enqueued_at, h.available_at, h.expires_at, h.started_at, h.ended_at,
        h.group_key, h.batch, h.wave, cast(null as text), h.payload, h.content_type, h.result, h.uncounted, h.enqueued_by
      from readpast_job_history h
      left join readpast_node n on n.no = h.node
      """;

  static final String COLUMNS =
      """
      select x.id, x.queue, x.type, x.state, x.priority, x.attempt,
        coalesce(x.max_attempts, t.max_attempts, 5), x.unique_key, x.correlation_id,
        cast(x.properties as text), cast(x.node as text), x.enqueued_at, x.available_at,
        x.expires_at, x.started_at, x.ended_at, x.group_key,
        (select name from readpast_batch where id = x.batch), x.wave, x.waits_for, x.content_type,
        case when coalesce(x.max_attempts, t.max_attempts, 5) = -1 then -1
          else greatest(0, coalesce(x.max_attempts, t.max_attempts, 5) - x.attempt + x.uncounted) end, x.enqueued_by
      """;

  /**
   * Returns a job, with its payload and its result as the last columns. Parameters: ?1 = id, ?2 and
   * ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String job() {
    return COLUMNS
        + ", cast(x.payload as text), cast(x.result as text) from ("
        + LIVE
        + "where j.id = ?1 union all "
        + ENDED
        + "where h.id = ?1) x left join readpast_type t on t.name = x.type where "
        + ScopeSql.sees("x.queue", 2);
  }

  /**
   * Returns (id, queue) of the given jobs that exist in visible queues. Parameters: ?1 = ids, ?2
   * and ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String queuesOf() {
    return """
    select id, queue from readpast_job where id = any(cast(?1 as bigint[])) and %1$s
    union all
    select id, queue from readpast_job_history where id = any(cast(?1 as bigint[])) and %1$s\
    """
        .formatted(ScopeSql.sees("queue", 2));
  }

  /**
   * Returns (queue, state) of a job. Parameters: ?1 = id, ?2 and ?3 = the visible queues (see
   * {@link ScopeSql}).
   */
  public static String summary() {
    return """
    select queue, state from readpast_job where id = ?1 and %1$s
    union all
    select queue, state from readpast_job_history where id = ?1 and %1$s\
    """
        .formatted(ScopeSql.sees("queue", 2));
  }

  /**
   * Returns live jobs of a queue with their payloads, oldest first. Parameters: ?1 = queue, ?2 =
   * types or null, ?3 = state or null, ?4 = correlation id or null, ?5 = properties as JSON that a
   * job must contain or null, ?6 = id after which to start, ?7 = maximum number.
   */
  public static String browse() {
    return COLUMNS
        + ", cast(x.payload as text), null from ("
        + LIVE
        + """
        where j.queue = ?1 and j.id > ?6
          and (cast(?2 as text[]) is null or split_part(j.type, '@', 1) = any(cast(?2 as text[])))
          and (cast(?3 as text) is null
            or j.state = cast(?3 as text))
          and (cast(?4 as text) is null or j.correlation_id = cast(?4 as text))
          and (cast(?5 as text) is null or cast(j.properties as jsonb) @> cast(cast(?5 as text) as jsonb))
        order by j.id limit ?7) x
        left join readpast_type t on t.name = x.type
        order by x.id\
        """;
  }

  /**
   * Returns (uuid of the node, its name, its state, queue, receivers, received, completed, failed,
   * dead, wake-ups, empty receives, errors), the newest node first. Parameters: ?1 and ?2 = the
   * visible queues (see {@link ScopeSql}).
   */
  public static String listening() {
    return """
    select cast(n.id as text), n.name, n.state, l.queue, l.receivers, l.received, l.completed, l.failed,
      l.dead, l.wake_ups, l.empty_receives, l.errors
    from readpast_node n join readpast_listener l on l.node = n.no
    where %s
    order by n.no desc, l.queue\
    """
        .formatted(ScopeSql.sees("l.queue", 1));
  }

  /**
   * Returns (attempt, node, started at, ended at, kind, exception, message, trace) of the last
   * failed attempts of a job, oldest first. Parameters: ?1 = job, ?2 = number of attempts.
   */
  public static String failures() {
    return """
    select f.attempt, cast(n.id as text), f.started_at, f.ended_at, f.kind, f.exception, f.message, f.trace
    from (select * from readpast_failure where job_id = ?1 order by id desc limit ?2) f
    left join readpast_node n on n.no = f.node
    order by f.id\
    """;
  }

  /**
   * Returns (predecessor, state in which it failed or null) of the predecessors that a job waits
   * for. Parameters: ?1 = job, ?2 = maximum number, ?3 and ?4 = the visible queues (see {@link
   * ScopeSql}).
   */
  public static String predecessors() {
    return """
    select predecessor_id, ended_as from readpast_predecessor
    where job_id = ?1 and (ended_as is null or on_failure = 'HOLD') and not %s order by predecessor_id limit ?2\
    """
        .formatted(ScopeSql.hides("predecessor_id", 3));
  }

  /**
   * Returns (id, name, failure policy, created at, sealed at, held at, cancelled at, finished at),
   * ordered by name, of batches whose jobs and callbacks are all in visible queues. Parameters: ?1
   * = name or null for all, ?2 = name after which to start, ?3 = maximum number, ?4 and ?5 = the
   * visible queues (see {@link ScopeSql}).
   */
  public static String batches() {
    return """
    select id, name, on_failure, created_at, sealed_at, held_at, cancelled_at, finished_at from readpast_batch b
    where (cast(?1 as text) is null or name = cast(?1 as text)) and name > ?2
      and (%s or %s and not %s) order by name limit ?3\
    """
        .formatted(
            ScopeSql.seesAll(4),
            parts(ScopeSql.sees("queue", 4)),
            parts("not (" + ScopeSql.sees("queue", 4) + ")"));
  }

  /**
   * Returns (name) of the given batches that have a job or a callback outside the given queues.
   * Parameters: ?1 = names, ?2 and ?3 = the given queues (see {@link ScopeSql}).
   */
  public static String batchesOutside() {
    return "select name from readpast_batch b where name = any(cast(?1 as text[])) and "
        + parts("not (" + ScopeSql.sees("queue", 2) + ")")
        + " order by name";
  }

  /**
   * Returns a condition that is true if a batch has, or had, a job or a callback in the given
   * queues.
   */
  private static String parts(String queue) {
    return """
        (exists (select 1 from readpast_job where batch = b.id and %1$s)
          or exists (select 1 from readpast_job_history where batch = b.id and %1$s)
          or exists (select 1 from readpast_batch_queue where batch = b.id and %1$s)
          or exists (select 1 from readpast_callback where batch = b.id and %1$s))"""
        .formatted(queue);
  }

  /** Limits how many waiting jobs of a wave are counted. */
  public static final int MOST_WAITING = 10_000;

  private static final int MOST_WAVES = 10_000;

  /**
   * Returns (batch, wave, live, waiting up to {@link #MOST_WAITING}, completed, discarded,
   * cancelled, expired, ids of some jobs that hold the wave), the lowest wave of each batch first,
   * at most 10,000 waves. Parameter: ?1 = batches.
   */
  public static String waves() {
    return """
    select batch, no, live,
      case when live = 0 then 0 else (select count(*) from (
        select 1 from readpast_job j where j.batch = w.batch and j.wave = w.no and waits_for = 'WAVE' and state = 'BLOCKED'
        limit %d) waiting) end,
      completed, discarded, cancelled, expired,
      array_to_string(array(
        select job_id from readpast_hold h where h.batch = w.batch and h.wave = w.no order by 1 limit 10), ',')
    from readpast_wave w where batch = any(cast(?1 as bigint[])) order by batch, no limit %d\
    """
        .formatted(MOST_WAITING, MOST_WAVES);
  }

  /**
   * Returns (batch, event, type, fired at, job) of the callbacks, in the order in which they were
   * registered. Parameter: ?1 = batches.
   */
  public static String callbacks() {
    return """
    select batch, event, type, fired_at, job_id from readpast_callback
    where batch = any(cast(?1 as bigint[])) order by id\
    """;
  }

  /**
   * Returns (job, type, state, wave, ids of some visible predecessors separated by commas) of the
   * first jobs of a batch that have or are predecessors. A job that has succeeded is no longer a
   * predecessor. Parameters: ?1 = batch, ?2 = number of live jobs and of ended jobs to search, ?3 =
   * maximum number, ?4 and ?5 = the visible queues (see {@link ScopeSql}).
   */
  public static String graph() {
    return """
        with searched as (
          (select id, type, state, wave from readpast_job where batch = ?1 order by id limit ?2)
          union all
          (select id, type, state, wave from readpast_job_history where batch = ?1 order by id limit ?2))
        select l.id, l.type, l.state, l.wave, array_to_string(array(
            select predecessor_id from readpast_predecessor where job_id = l.id and %1$s order by 1 limit 100), ',')
        from searched l
        where exists (select 1 from readpast_predecessor where job_id = l.id and %1$s)
          or exists (select 1 from readpast_predecessor where predecessor_id = l.id and %2$s)
        order by l.id limit ?3\
        """
        .formatted(ScopeSql.shows("predecessor_id", 4), ScopeSql.shows("job_id", 4));
  }

  /**
   * Returns a row if a batch has more than the given number of jobs, live or ended. Parameters: ?1
   * = batch, ?2 = number.
   */
  public static String larger() {
    return """
    select 1 where exists (select 1 from readpast_job where batch = ?1 order by id offset ?2 limit 1)
      or exists (select 1 from readpast_job_history where batch = ?1 order by id offset ?2 limit 1)\
    """;
  }

  /** Returns (done, total, updated at) of a job's progress. Parameter: ?1 = job. */
  public static String progress() {
    return "select done, total, updated_at from readpast_progress where job_id = ?1";
  }

  /**
   * Returns (attempt, logged at, line) of the last log lines of a job, oldest first. Parameters: ?1
   * = job, ?2 = number of lines.
   */
  public static String log() {
    return """
    select attempt, logged_at, line from (
      select id, attempt, logged_at, line from readpast_log where job_id = ?1 order by id desc limit ?2) l
    order by id\
    """;
  }

  /** Returns a row if the cancellation of a job has been requested. Parameter: ?1 = job. */
  public static String cancellation() {
    return "select 1 from readpast_cancellation where job_id = ?1";
  }

  /**
   * Returns (uuid, name, version, state, started at, beat at, ended at, receivers, taken over,
   * queues or null for all, types, true if it was asked to drain) of nodes, the newest first. Lists
   * are separated by commas, which no name contains. Parameters: ?1 = true for all recorded nodes;
   * false for running nodes and, for each name, the last node that ended within a day and was not
   * started again, ?2 and ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String nodes() {
    return """
    select cast(id as text), name, version, state, started_at, beat_at, ended_at, receivers,
      taken_over, case when queues <> '{}' then array_to_string(array(
        select q from unnest(queues) with ordinality o(q, i) where %s order by i), ',') end,
      array_to_string(types, ','), drain_requested, application, module
    from readpast_node n
    where cast(?1 as boolean) or state in ('ACTIVE', 'STOPPING')
      or (ended_at > clock_timestamp() - interval '1 day'
        and not exists (select 1 from readpast_node later where later.name = n.name and later.no > n.no))
    order by no desc\
    """
        .formatted(ScopeSql.sees("q", 2));
  }

  /**
   * Returns (name, stored form) of each registered version of types. Parameter: ?1 = names of types
   * (text[]).
   */
  public static String typesAmong() {
    return "select name from readpast_type where split_part(name, '@', 1) = any(cast(?1 as text[]))";
  }

  /** Returns (name) of every type that an engine has registered. */
  public static String types() {
    return "select name from readpast_type order by name";
  }
}
