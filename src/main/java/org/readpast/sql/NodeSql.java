package org.readpast.sql;

/** Statements about the running engines. */
public final class NodeSql {
  private NodeSql() {}

  /**
   * 1: uuid, 2: name, 3: version, 4: lease in ms, 5: queues, 6: types. Gives (no). A node starts
   * cautious.
   */
  public static String register() {
    return """
        insert into readpast_node (id, name, version, lease_ms, queues, types, cautious)
        values (cast(?1 as uuid), ?2, ?3, ?4, cast(?5 as text[]), cast(?6 as text[]), true)
        returning no""";
  }

  /** 1: name, 2: most attempts. Makes a job type known. */
  public static String registerType() {
    return """
        insert into readpast_type (name, max_attempts) values (?1, ?2)
        on conflict (name) do update set max_attempts = excluded.max_attempts
        where readpast_type.max_attempts <> excluded.max_attempts""";
  }

  /**
   * Proves that a node is alive. 1: no, 2: jobs in transactional work, 3: receivers at work, 4:
   * leases that it is through with. Marks the transaction as {@link ClaimSql#take()} does.
   *
   * <p>Gives (whether to be cautious, how many nodes have ended; then id, claim_no, whether the
   * claim is older than five seconds; whether it is to drain) for each of the jobs it holds by
   * other leases, those three null when it holds none; nothing when the node was declared dead,
   * which is for ever. Removes the leases that it is through with, and those older than ten seconds
   * of which it has no job any more: of an answer that never arrived, or after a failure.
   */
  public static String beat() {
    // Cautious until every other node has stopped cleanly or beaten since this one started, and for
    // a while after any unclean death.
    return """
        with gone as (
          delete from readpast_lease l where node = ?1 and (id = any(cast(?4 as bigint[]))
            or (claimed_at < clock_timestamp() - interval '10 seconds' and %s))),
        beaten as (
          update readpast_node me set beat_at = clock_timestamp(), working = cast(?2 as bigint[]), receivers = ?3,
            cautious = exists (
              select 1 from readpast_node n where n.no <> me.no and (
                (n.state in ('ACTIVE', 'STOPPING') and n.beat_at < me.started_at)
                or (n.state = 'DEAD' and n.ended_at > clock_timestamp() - interval '15 minutes')))
          where no = ?1 and state in ('ACTIVE', 'STOPPING')
          returning cautious, (select count(*) from readpast_node where state in ('DEAD', 'STOPPED')) as ended,
            drain_requested, %s)
        select cautious, ended, id, claim_no, old, drain_requested
        from beaten left join (
          select id, claim_no, claimed_at < clock_timestamp() - interval '5 seconds' as old
          from readpast_job
          where id = any(array(
            select unnest(jobs) from readpast_lease where node = ?1 and id <> all(cast(?4 as bigint[]))))
            and owner = ?1) held on true"""
        .formatted(HousekeepingSql.NOTHING_LEFT, ClaimSql.mark("?1"));
  }

  /** 1: no, 2: new state. */
  public static String enter() {
    return """
        update readpast_node set state = ?2, ended_at = case when ?2 = 'STOPPED' then clock_timestamp() end,
          working = case when ?2 = 'STOPPED' then '{}' else working end
        where no = ?1 and state in ('ACTIVE', 'STOPPING')""";
  }

  /** 1: ids in work. Gives (id) of those that somebody wants cancelled. */
  public static String cancellationsAmong() {
    return "select job_id from readpast_cancellation where job_id = any(cast(?1 as bigint[]))";
  }

  /**
   * Gives (name, paused, concurrency or null, reserved or null, that over all nodes or null) of
   * every queue.
   */
  public static String queues() {
    return "select name, paused, concurrency, reserved, global_concurrency from readpast_queue order by name";
  }

  /**
   * Keeps the counters of a node, and adds what is new in them to the current minute; arrays of
   * equal length. 1: node, 2: queues, 3: receivers, 4: received, 5: completed, 6: failed, 7: dead,
   * 8: wake-ups, 9: empty receives, 10: errors, 11: enqueued, 12: waits, 13: runs, both of them
   * arrays as texts.
   */
  public static String listening() {
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
        )
        insert into readpast_minute as m (minute, queue, node, enqueued, completed, failed, dead, waits, runs)
        select date_trunc('minute', clock_timestamp()), n.queue, ?1, n.enqueued - coalesce(o.enqueued, 0),
          n.completed - coalesce(o.completed, 0), n.failed - coalesce(o.failed, 0), n.dead - coalesce(o.dead, 0),
          %s, %s
        from news n left join readpast_listener o on o.node = ?1 and o.queue = n.queue
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

  /** Two arrays, element by element. */
  private static String each(String operator, String one, String other) {
    return "array(select coalesce(a, 0) %s coalesce(b, 0) from unnest(%s, %s) with ordinality x(a, b, i) order by i)"
        .formatted(operator, one, other);
  }

  /** 1: pid. Ends a transaction that its node cannot end otherwise. */
  public static String terminate() {
    return "select pg_terminate_backend(?1)";
  }

  /** 1: job. Gives (exception and message) of its last failed attempt. */
  public static String lastFailure() {
    return """
        select concat_ws(': ', exception, message) from readpast_failure where job_id = ?1 order by id desc limit 1""";
  }

  /** 1: job, 2: done, 3: total. */
  public static String progress() {
    return """
        insert into readpast_progress (job_id, done, total) values (?1, ?2, ?3)
        on conflict (job_id) do update
        set done = excluded.done, total = excluded.total, updated_at = clock_timestamp()""";
  }

  /** 1: job, 2: attempt, 3: line. */
  public static String log() {
    return "insert into readpast_log (job_id, attempt, line) values (?1, ?2, ?3)";
  }
}
