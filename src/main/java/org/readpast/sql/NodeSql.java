package org.readpast.sql;

/** Contains the statements about the running engines. */
public final class NodeSql {
  private NodeSql() {}

  /**
   * Registers a node. Returns the column (no). Parameters: ?1 = uuid, ?2 = name, ?3 = version, ?4 =
   * lease in ms, ?5 = time in ms that its configuration keeps audit entries, ?6 = queues, ?7 =
   * types, ?8 = owner, ?9 = application, ?10 = module.
   */
  public static String register() {
    return """
        insert into readpast_node (id, name, version, lease_ms, audit_kept_ms, queues, types, owner, application, module)
        values (cast(?1 as uuid), ?2, ?3, ?4, ?5, cast(?6 as text[]), cast(?7 as text[]), ?8, ?9, ?10)
        returning no""";
  }

  /**
   * Registers a type. Parameters: ?1 = name, ?2 = max attempts, ?3 = the type of which it is an
   * alias, as far as this node knows, or null.
   */
  public static String registerType() {
    return """
        insert into readpast_type as t (name, max_attempts, alias_of) values (?1, ?2, ?3)
        on conflict (name) do update set max_attempts = excluded.max_attempts,
          alias_of = coalesce(excluded.alias_of, t.alias_of)
        where t.max_attempts <> excluded.max_attempts or t.alias_of <> excluded.alias_of
          or t.alias_of is null and excluded.alias_of is not null""";
  }

  /**
   * Sends the heartbeat of a node. Returns one row for each job that the node holds by leases other
   * than ?4: (id, claim_no, true if the claim is older than five seconds, true if the node is to
   * drain, the database's time in ms since 1970, true if a user watches the console). If the node
   * holds no jobs, returns one row whose first three columns are null. Returns no row if the node
   * was declared dead, which is permanent, or if the database has lost the node and another node
   * has its number. Deletes the leases ?4, and leases without jobs that are older than ten seconds,
   * because the response to a statement never arrived or an attempt failed. Parameters: ?1 = no, ?2
   * = database sessions that run the node's jobs in transactions, ?3 = running receivers, ?4 =
   * leases of which the node no longer holds jobs; arrays of equal length: ?5 = leases, ?6 = jobs
   * whose handlers have started; ?7 = uuid.
   */
  public static String beat() {
    return """
        with beaten as (
          update readpast_node me set beat_at = clock_timestamp(), backends = cast(?2 as int[]), receivers = ?3,
            steady_since = case
              when beat_at between clock_timestamp() - lease_ms * interval '1 millisecond' * 2 / 3 and clock_timestamp()
              then steady_since else clock_timestamp() end
          where no = ?1 and id = cast(?7 as uuid) and state in ('ACTIVE', 'STOPPING')
          returning no, drain_requested),
        deleted as (
          delete from readpast_lease l where node = (select no from beaten) and (id = any(cast(?4 as bigint[]))
            or (claimed_at < clock_timestamp() - interval '10 seconds' and %s))),
        started as (
          update readpast_lease l set begun = array(select unnest(l.begun) union select unnest(s.jobs))
          from (
            select lease, array_agg(job) as jobs
            from unnest(cast(?5 as bigint[]), cast(?6 as bigint[])) u(lease, job) group by lease) s
          where l.id = s.lease and l.node = ?1 and not l.begun @> s.jobs)
        select id, claim_no, old, drain_requested, cast(extract(epoch from clock_timestamp()) * 1000 as bigint),
          exists (select 1 from readpast_watch where until > clock_timestamp())
        from beaten left join (
          select id, claim_no, claimed_at < clock_timestamp() - interval '5 seconds' as old
          from readpast_job
          where id = any(array(
            select unnest(jobs) from readpast_lease where node = ?1 and id <> all(cast(?4 as bigint[]))))
            and owner = ?1) held on true"""
        .formatted(MaintenanceSql.NOTHING_LEFT);
  }

  /**
   * Adds a database session that runs jobs of a node in transactions. Parameters: ?1 = no, ?2 =
   * process id of the session.
   */
  public static String addBackend() {
    return """
        update readpast_node set backends = array_append(backends, cast(?2 as int)) where no = ?1 returning no""";
  }

  /** Changes the state of a node. Parameters: ?1 = no, ?2 = new state, ?3 = uuid. */
  public static String changeState() {
    return """
        update readpast_node set state = ?2, ended_at = case when ?2 = 'STOPPED' then clock_timestamp() end
        where no = ?1 and id = cast(?3 as uuid) and state in ('ACTIVE', 'STOPPING')""";
  }

  /**
   * Finds running jobs whose cancellation was requested. Returns the column (id). Parameter: ?1 =
   * ids of running jobs.
   */
  public static String cancellationsAmong() {
    return "select job_id from readpast_cancellation where job_id = any(cast(?1 as bigint[]))";
  }

  /**
   * Stores configured limits across all nodes. Parameters: arrays of equal length: ?1 = queues, ?2
   * = maximum number of concurrent jobs.
   */
  public static String configureLimits() {
    return """
        insert into readpast_queue as q (name, configured_global_concurrency)
        select * from unnest(cast(?1 as text[]), cast(?2 as int[])) as u(queue, most) order by queue
        on conflict (name) do update set configured_global_concurrency = excluded.configured_global_concurrency
        where q.configured_global_concurrency is distinct from excluded.configured_global_concurrency""";
  }

  /**
   * Returns (name, paused, concurrency or null, reserved or null, limit across all nodes or null,
   * configured limit across all nodes or null, true if it was used in the last half hour) of every
   * queue.
   */
  public static String queues() {
    return """
        select name, paused, concurrency, reserved, global_concurrency, configured_global_concurrency,
          used_at > clock_timestamp() - interval '30 minutes'
        from readpast_queue order by name""";
  }

  /**
   * Returns one row for each queue, with the columns of {@link #queues()} and three nulls, and one
   * row for each limit of a type, with seven nulls and the columns of {@link TypeLimitSql#all()}.
   */
  public static String settings() {
    // Every node loads both every few seconds, so they are one statement.
    return """
        select q.*, null, null, null from (%s) q
        union all
        select null, null, null, null, null, null, null, l.* from (%s) l
        order by 1"""
        .formatted(queues(), TypeLimitSql.all());
  }

  /**
   * Stores the counters of a node, and adds their increase to the current minute. If a queue was
   * deleted and created again, the counters are added in full. Parameters: ?1 = node; arrays of
   * equal length: ?2 = queues, ?3 = receivers, ?4 = received, ?5 = completed, ?6 = failed, ?7 =
   * dead, ?8 = wake-ups, ?9 = empty receives, ?10 = errors, ?11 = enqueued, ?12 = waits, ?13 =
   * runs; the elements of ?12 and ?13 are arrays as text.
   */
  public static String storeCounters() {
    return """
        with news as (
          select queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors, enqueued,
            cast(waits as bigint[]) as waits, cast(runs as bigint[]) as runs
          from unnest(cast(?2 as text[]), cast(?3 as int[]), cast(?4 as bigint[]), cast(?5 as bigint[]),
            cast(?6 as bigint[]), cast(?7 as bigint[]), cast(?8 as bigint[]), cast(?9 as bigint[]),
            cast(?10 as bigint[]), cast(?11 as bigint[]), cast(?12 as text[]), cast(?13 as text[]))
            u(queue, receivers, received, completed, failed, dead, wake_ups, empty_receives, errors, enqueued, waits, runs)
        ), kept as (
          insert into readpast_listener (node, queue, receivers, received, completed, failed, dead, wake_ups,
            empty_receives, errors, enqueued, waits, runs)
          select ?1, * from news
          on conflict (node, queue) do update set receivers = excluded.receivers, received = excluded.received,
            completed = excluded.completed, failed = excluded.failed, dead = excluded.dead,
            wake_ups = excluded.wake_ups, empty_receives = excluded.empty_receives, errors = excluded.errors,
            enqueued = excluded.enqueued, waits = excluded.waits, runs = excluded.runs
        ), used as (
          update readpast_queue set used_at = clock_timestamp() where name in (
            select name from readpast_queue
            where used_at < clock_timestamp() - interval '10 minutes' and name in (
              select n.queue from news n left join readpast_listener o on o.node = ?1 and o.queue = n.queue
              where (n.enqueued, n.received, n.completed, n.failed) is distinct from
                (coalesce(o.enqueued, 0), coalesce(o.received, 0), coalesce(o.completed, 0), coalesce(o.failed, 0)))
            for update skip locked)
        )
        insert into readpast_minute as m (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        select date_trunc('minute', clock_timestamp()), n.queue, ?1, n.enqueued - coalesce(o.enqueued, 0),
          n.completed - coalesce(o.completed, 0), n.failed - coalesce(o.failed, 0), n.dead - coalesce(o.dead, 0),
          %s, %s
        from news n left join readpast_listener o on o.node = ?1 and o.queue = n.queue
          and o.enqueued <= n.enqueued and o.received <= n.received
        where (n.enqueued, n.completed, n.failed, n.dead, n.waits, n.runs)
          is distinct from (o.enqueued, o.completed, o.failed, o.dead, o.waits, o.runs)
        on conflict (minute, queue, node) do update set enqueued = m.enqueued + excluded.enqueued,
          completed = m.completed + excluded.completed, failed = m.failed + excluded.failed,
          dead = m.dead + excluded.dead, waits = %s, runs = %s"""
        .formatted(
            each("-", "n.waits", "o.waits"),
            each("-", "n.runs", "o.runs"),
            each("+", "m.waits", "excluded.waits"),
            each("+", "m.runs", "excluded.runs"));
  }

  /**
   * Stores the counts of a node for each second, and deletes counts of this node that are older
   * than five minutes. Parameters: ?1 = node; arrays of equal length: ?2 = seconds since 1970, ?3 =
   * queues, ?4 = types, ?5 = enqueued, ?6 = completed, ?7 = failed, ?8 = waits, ?9 = runs; the
   * elements of ?8 and ?9 are arrays as text.
   */
  public static String storeSeconds() {
    // The rows exist if the response to an earlier commit of the same rows was lost.
    // RetentionSql.noteDepths explains the range.
    return """
        with old as (
          delete from readpast_second
          where node = ?1 and second > '-infinity'
            and second < (select clock_timestamp() - interval '5 minutes'))
        insert into readpast_second (second, queue, type, node, enqueued, completed, failed, waits, runs)
        select to_timestamp(second), queue, type, ?1, enqueued, completed, failed,
          cast(waits as bigint[]), cast(runs as bigint[])
        from unnest(cast(?2 as bigint[]), cast(?3 as text[]), cast(?4 as text[]), cast(?5 as bigint[]),
          cast(?6 as bigint[]), cast(?7 as bigint[]), cast(?8 as text[]), cast(?9 as text[]))
          u(second, queue, type, enqueued, completed, failed, waits, runs)
        on conflict do nothing""";
  }

  /** Returns an expression that combines two arrays element by element. */
  private static String each(String operator, String one, String other) {
    return "array(select coalesce(a, 0) %s coalesce(b, 0) from unnest(%s, %s) with ordinality x(a, b, i) order by i)"
        .formatted(operator, one, other);
  }

  /**
   * Terminates a database session, and waits up to 1 s for its end. Parameter: ?1 = process id of
   * the session.
   */
  public static String terminate() {
    return "select pg_terminate_backend(?1, 1000)";
  }

  /** Returns (exception and message) of the last failed attempt of a job. Parameter: ?1 = job. */
  public static String lastFailure() {
    return """
        select concat_ws(': ', exception, message) from readpast_failure where job_id = ?1 order by id desc limit 1""";
  }

  /**
   * Stores the progress and output of a handler if its claim still owns the job. Returns a row if
   * the report was stored. Parameters: ?1 = job, ?2 = claim_no, ?3 = attempt; arrays of equal
   * length: ?4 = ages of the log lines in ms, ?5 = log lines; null if there is no progress: ?6 =
   * age of the progress in ms, ?7 = done, ?8 = total.
   */
  public static String output() {
    return """
        with owned as (
          select id from readpast_job where id = ?1 and claim_no = ?2 and state = 'RUNNING'),
        logged as (
          insert into readpast_log (job_id, attempt, logged_at, line)
          select id, ?3, clock_timestamp() - age * interval '1 millisecond', line
          from owned, unnest(cast(?4 as bigint[]), cast(?5 as text[])) with ordinality u(age, line, no)
          order by no),
        shown as (
          insert into readpast_progress (job_id, done, total, updated_at)
          select id, cast(?7 as bigint), cast(?8 as bigint),
            clock_timestamp() - cast(?6 as bigint) * interval '1 millisecond'
          from owned where cast(?6 as bigint) is not null
          on conflict (job_id) do update
          set done = excluded.done, total = excluded.total, updated_at = excluded.updated_at)
        select id from owned""";
  }
}
