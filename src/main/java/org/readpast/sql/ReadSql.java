package org.readpast.sql;

/** Statements that only look. */
public final class ReadSql {
  private ReadSql() {}

  // Work in mode TRANSACTIONAL is invisible until it commits; the heartbeats say which jobs are in
  // it.
  static final String WORKING =
      """
      with working as (
        select distinct on (w.id) w.id, n.id as node
        from readpast_node n cross join lateral unnest(n.working) as w(id)
        where n.state in ('ACTIVE', 'STOPPING')
        order by w.id, n.beat_at desc)
      """;

  private static final String LIVE =
      """
      select j.id, j.queue, j.type, case when w.id is null then j.state else 'RUNNING' end as state,
        j.priority, j.attempt + case when w.id is null then 0 else 1 end as attempt,
        j.max_attempts, j.unique_key, j.correlation_id, j.properties,
        coalesce(w.node, o.id) as node, j.enqueued_at, j.available_at, j.expires_at,
        case when j.state = 'RUNNING' then j.claimed_at end as started_at,
        cast(null as timestamptz) as ended_at, j.group_key, j.batch, j.wave, j.waits_for, j.payload, j.content_type,
        cast(null as json) as result, j.uncounted
      from readpast_job j
      left join working w on w.id = j.id and j.state = 'AVAILABLE'
      left join readpast_node o on o.no = j.owner
      """;

  private static final String ENDED =
      """
      select h.id, h.queue, h.type, h.state,
        h.priority, h.attempt,
        h.max_attempts, h.unique_key, h.correlation_id, h.properties,
        n.id, h.enqueued_at, h.available_at, h.expires_at, h.started_at, h.ended_at,
        h.group_key, h.batch, h.wave, cast(null as text), h.payload, h.content_type, h.result, h.uncounted
      from readpast_job_history h
      left join readpast_node n on n.no = h.node
      """;

  private static final String COLUMNS =
      """
      select x.id, x.queue, x.type, x.state, x.priority, x.attempt,
        coalesce(x.max_attempts, t.max_attempts, 5), x.unique_key, x.correlation_id,
        cast(x.properties as text), cast(x.node as text), x.enqueued_at, x.available_at,
        x.expires_at, x.started_at, x.ended_at, x.group_key,
        (select name from readpast_batch where id = x.batch), x.wave, x.waits_for, x.content_type,
        case when coalesce(x.max_attempts, t.max_attempts, 5) = -1 then -1
          else greatest(0, coalesce(x.max_attempts, t.max_attempts, 5) - x.attempt + x.uncounted) end
      """;

  /** 1: id. Gives the job, its payload and its result last. */
  public static String job() {
    return WORKING
        + COLUMNS
        + ", cast(x.payload as text), cast(x.result as text) from ("
        + LIVE
        + "where j.id = ?1 union all "
        + ENDED
        + "where h.id = ?1) x left join readpast_type t on t.name = x.type";
  }

  /**
   * Newest first. 1: ids below this, 2: queue or null, 3: type or null, 4: state or null, 5:
   * whether to look at live jobs, 6: whether to look at ended ones, 7: how many. Gives jobs without
   * their payloads.
   */
  public static String page() {
    return WORKING
        + COLUMNS
        + "from (("
        + LIVE
        + """
        where cast(?5 as boolean) and j.id < ?1
          and (cast(?2 as text) is null or j.queue = cast(?2 as text))
          and (cast(?3 as text) is null or j.type = cast(?3 as text))
          and (cast(?4 as text) is null
            or case when w.id is null then j.state else 'RUNNING' end = cast(?4 as text))
        order by j.id desc limit ?7) union all (
        """
        + ENDED
        + """
          where cast(?6 as boolean) and h.id < ?1
            and (cast(?2 as text) is null or h.queue = cast(?2 as text))
            and (cast(?3 as text) is null or h.type = cast(?3 as text))
            and (cast(?4 as text) is null or h.state = cast(?4 as text))
          order by h.id desc limit ?7)) x
        left join readpast_type t on t.name = x.type
        order by x.id desc limit ?7\
        """;
  }

  /**
   * Live jobs of a queue, oldest first. 1: queue, 2: types or null, 3: state or null, 4:
   * correlation id or null, 5: properties that it has (JSON) or null, 6: ids above this, 7: how
   * many. Gives jobs with their payloads.
   */
  public static String browse() {
    return WORKING
        + COLUMNS
        + ", cast(x.payload as text), null from ("
        + LIVE
        + """
        where j.queue = ?1 and j.id > ?6
          and (cast(?2 as text[]) is null or j.type = any(cast(?2 as text[])))
          and (cast(?3 as text) is null
            or case when w.id is null then j.state else 'RUNNING' end = cast(?3 as text))
          and (cast(?4 as text) is null or j.correlation_id = cast(?4 as text))
          and (cast(?5 as text) is null or cast(j.properties as jsonb) @> cast(cast(?5 as text) as jsonb))
        order by j.id limit ?7) x
        left join readpast_type t on t.name = x.type
        order by x.id\
        """;
  }

  /** 1: id. Gives (state, result) of a job, live or ended. */
  public static String outcome() {
    return """
    select case when exists (select 1 from readpast_node n where n.state in ('ACTIVE', 'STOPPING') and j.id = any(n.working))
      then 'RUNNING' else j.state end, null
    from readpast_job j where j.id = ?1
    union all
    select state, cast(result as text) from readpast_job_history where id = ?1\
    """;
  }

  /**
   * Gives (node's uuid, its name, its state, queue, receivers, permits or null, received,
   * completed, failed, dead, wake-ups, empty receives, errors), the newest node first.
   */
  public static String listening() {
    return """
    select cast(n.id as text), n.name, n.state, l.queue, l.receivers, p.held, l.received, l.completed, l.failed,
      l.dead, l.wake_ups, l.empty_receives, l.errors
    from readpast_node n join readpast_listener l on l.node = n.no
    left join readpast_permit p on p.node = n.no and p.queue = l.queue
    order by n.no desc, l.queue\
    """;
  }

  /**
   * 1: job. Gives (attempt, node, started at, ended at, kind, exception, message, trace) of the
   * attempts that failed, oldest first.
   */
  public static String failures() {
    return """
    select f.attempt, cast(n.id as text), f.started_at, f.ended_at, f.kind, f.exception, f.message, f.trace
    from readpast_failure f left join readpast_node n on n.no = f.node
    where f.job_id = ?1 order by f.id\
    """;
  }

  /** 1: job, 2: how many. Gives (predecessor, how it ended badly or null) of those it waits for. */
  public static String predecessors() {
    return """
    select predecessor_id, ended_as from readpast_predecessor
    where job_id = ?1 and (ended_as is null or on_failure = 'HOLD') order by predecessor_id limit ?2\
    """;
  }

  /**
   * 1: name or null for all, 2: names after this, 3: how many. Gives (id, name, on failure, created
   * at, sealed at, cancelled at, finished at), by name.
   */
  public static String batches() {
    return """
    select id, name, on_failure, created_at, sealed_at, cancelled_at, finished_at from readpast_batch
    where (cast(?1 as text) is null or name = cast(?1 as text)) and name > ?2 order by name limit ?3\
    """;
  }

  /**
   * 1: batch. Gives (wave, live, waiting, completed, discarded, cancelled, expired, some ids of
   * those that hold it).
   */
  public static String waves() {
    return """
    select no, live,
      (select count(*) from readpast_job j where j.batch = w.batch and j.wave = w.no and waits_for = 'WAVE'),
      completed, discarded, cancelled, expired,
      array_to_string(array(
        select job_id from readpast_hold h where h.batch = w.batch and h.wave = w.no order by 1 limit 10), ',')
    from readpast_wave w where batch = ?1 order by no\
    """;
  }

  /** 1: batch. Gives (event, type, fired at, job). */
  public static String callbacks() {
    return "select event, type, fired_at, job_id from readpast_callback where batch = ?1 order by id";
  }

  /** 1: job. Gives (done, total, updated at). */
  public static String progress() {
    return "select done, total, updated_at from readpast_progress where job_id = ?1";
  }

  /** 1: job, 2: how many. Gives (attempt, logged at, line) of the last lines, oldest first. */
  public static String log() {
    return """
    select attempt, logged_at, line from (
      select id, attempt, logged_at, line from readpast_log where job_id = ?1 order by id desc limit ?2) l
    order by id\
    """;
  }

  /** 1: job. Gives a row when somebody has asked to cancel it. */
  public static String cancellation() {
    return "select 1 from readpast_cancellation where job_id = ?1";
  }

  /** Gives (queue, state, how many) of all jobs. */
  public static String counts() {
    return WORKING
        + """
        select j.queue, case when w.id is null then j.state else 'RUNNING' end, count(*)
        from readpast_job j left join working w on w.id = j.id and j.state = 'AVAILABLE'
        group by 1, 2
        union all
        select queue, state, count(*) from readpast_job_history group by 1, 2\
        """;
  }

  /**
   * Gives (uuid, name, version, state, started at, beat at, ended at, cautious, receivers, taken
   * over, queues, types) of every node, the newest first; lists are separated by commas, which no
   * name contains.
   */
  public static String nodes() {
    return """
    select cast(id as text), name, version, state, started_at, beat_at, ended_at, cautious, receivers,
      taken_over, array_to_string(queues, ','), array_to_string(types, ',')
    from readpast_node order by no desc\
    """;
  }

  /** 1: names (text[]). Gives (name) of those types that some engine has registered. */
  public static String typesAmong() {
    return "select name from readpast_type where name = any(cast(?1 as text[]))";
  }

  /** Gives (name) of every type that some engine has registered. */
  public static String types() {
    return "select name from readpast_type order by name";
  }
}
