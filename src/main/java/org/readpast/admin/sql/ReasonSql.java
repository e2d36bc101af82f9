package org.readpast.admin.sql;

import org.readpast.sql.ClaimSql;
import org.readpast.sql.TypeLimitSql;
import org.readpast.sql.WaitingSql;

/**
 * Contains the statements that find the reasons why a live job is not running. Each reads a few
 * index rows, regardless of the number of jobs.
 */
public final class ReasonSql {
  private ReasonSql() {}

  /** Limits how many jobs are counted. */
  public static final int MOST_COUNTED = 1_000;

  /** Limits the number of jobs or waves that a reason names. */
  public static final int MOST_NAMED = 5;

  /**
   * Returns one row about a live job: (position or null, true if it is due, batch or null, true if
   * the batch is being cancelled, true if the batch is held, true if the queue is paused, the
   * queue's concurrency or null, its concurrency across all nodes or null, message of the last
   * failure if the payload could not be read). Parameter: ?1 = id.
   */
  public static String job() {
    return """
        select j.position, j.available_at <= clock_timestamp(), j.batch, b.cancelled_at is not null,
          b.held_at is not null,
          q.paused, q.concurrency, coalesce(q.global_concurrency, q.configured_global_concurrency),
          case when f.kind = 'UNREADABLE' then coalesce(f.message, f.exception, f.kind) end
        from readpast_job j
        left join lateral (
          select kind, message, exception from readpast_failure where job_id = j.id order by id desc limit 1) f on true
        left join readpast_batch b on b.id = j.batch
        left join readpast_queue q on q.name = j.queue
        where j.id = ?1""";
  }

  /**
   * Returns (predecessor, state in which it failed or null, its state while it is live, number of
   * predecessors, true if it is hidden) of some jobs that a job waits for, ended ones first.
   * Parameters: ?1 = job, ?2 and ?3 = the visible queues (see {@link ScopeSql}).
   */
  public static String predecessors() {
    return """
        select p.predecessor_id, p.ended_as, (select state from readpast_job where id = p.predecessor_id), p.many, %3$s
        from (
          select predecessor_id, ended_as, count(*) over () as many from (
            select predecessor_id, ended_as from readpast_predecessor
            where job_id = ?1 and (ended_as is null or on_failure = 'HOLD')
            order by ended_as nulls last, predecessor_id limit %1$d) f
          order by ended_as nulls last, predecessor_id limit %2$d) p
        order by p.ended_as nulls last, p.predecessor_id"""
        .formatted(MOST_COUNTED, MOST_NAMED, ScopeSql.hides("p.predecessor_id", 2));
  }

  /**
   * Returns (wave, number of live jobs) of some waves below the given one that have live jobs.
   * Parameters: ?1 = batch, ?2 = wave.
   */
  public static String lowerWaves() {
    return """
        select no, live from readpast_wave where batch = ?1 and no < ?2 and live > 0
        order by no limit %d"""
        .formatted(MOST_NAMED);
  }

  /**
   * Returns (job, its wave, number of such jobs) of some discarded jobs in lower waves that hold
   * the given wave. Parameters: ?1 = batch, ?2 = wave.
   */
  public static String waveHolds() {
    return """
        select job_id, wave, count(*) over () from (
          select job_id, wave from readpast_hold where batch = ?1 and wave < ?2 order by wave, job_id limit %d) h
        order by wave, job_id limit %d"""
        .formatted(MOST_COUNTED, MOST_NAMED);
  }

  /**
   * Returns (job) of some other discarded jobs that hold the group of a job. Parameters: ?1 =
   * queue, ?2 = group, ?3 = job.
   */
  public static String groupHolds() {
    return """
        select job_id from readpast_hold where queue = ?1 and group_key = ?2 and job_id <> ?3
        order by job_id + 0 limit %d"""
        .formatted(MOST_NAMED);
  }

  /**
   * Returns (job, its state) of some jobs of a group that may run now. Parameters: ?1 = queue, ?2 =
   * group.
   */
  public static String groupActive() {
    // The query sorts by an expression without an index; otherwise the planner would search all
    // jobs by id for the first match.
    return """
        select id, state from (
          select id, state from readpast_job where queue = ?1 and group_key = ?2 and waits_for is null
          union all
          select id, state from (%s) next where queue = ?1 and group_key = ?2) active
        order by id + 0 limit %d"""
        .formatted(WaitingSql.RUNNING_NEXT_IN_GROUP, MOST_NAMED);
  }

  /**
   * Returns the columns (concurrency of the group, number of jobs that wait in the group before the
   * given job). Parameters: ?1 = queue, ?2 = group, ?3 = job.
   */
  public static String groupTurn() {
    return """
        select coalesce((select concurrency from readpast_group where queue = ?1 and key = ?2), 1), (
          select count(*) from (
            select 1 from readpast_job
            where queue = ?1 and group_key = ?2 and waits_for = 'GROUP' and state = 'BLOCKED'
              and id < ?3
            order by id desc limit %d) before)"""
        .formatted(MOST_COUNTED);
  }

  /**
   * Returns one row: (number of nodes that claim jobs, those that also handle the type, those that
   * also serve the queue, those that also have a free receiver, running jobs of the queue). The
   * numbers are those of the last heartbeats. Parameters: ?1 = queue, ?2 = type, ?3 = maximum
   * number of receivers on a node for the queue, ?4 = maximum number of receivers on a node for all
   * queues.
   */
  public static String nodes() {
    return """
        select count(*) filter (where takes), count(*) filter (where takes and handles),
          count(*) filter (where takes and handles and serves),
          count(*) filter (where takes and handles and serves and own < ?3 and receivers < ?4),
          coalesce(sum(own), 0)
        from (
          select n.receivers, coalesce(l.receivers, 0) as own,
            n.state = 'ACTIVE' and not n.drain_requested as takes, cast(?2 as text) = any(n.types) as handles,
            n.queues = '{}' or cast(?1 as text) = any(n.queues) as serves
          from readpast_node n left join readpast_listener l on l.node = n.no and l.queue = ?1
          where n.state in ('ACTIVE', 'STOPPING')) n""";
  }

  /**
   * Returns (limited type, maximum number of concurrent jobs, number of leased jobs) of the limit
   * across all nodes that applies to a type. Parameter: ?1 = stored type.
   */
  public static String typeLimit() {
    return """
        select t.type, l.most, (%s) from (%s) as l(name, type, most)
        join readpast_type_limit t on t.type = l.type
        where l.name = split_part(cast(?1 as text), '@', 1) limit 1"""
        .formatted(TypeLimitSql.leased("t"), TypeLimitSql.all());
  }

  /**
   * Returns (number of running jobs of the types), as of the last heartbeats. Parameter: ?1 =
   * types.
   */
  public static String begun() {
    return """
        select count(*) from readpast_job
        where id = any(array(select unnest(begun) from readpast_lease)) and state = 'RUNNING'
          and split_part(type, '@', 1) = any(cast(?1 as text[]))""";
  }

  /**
   * Returns (number of jobs that are claimed before a job): jobs of its lane and jobs of a higher
   * priority. Parameters: ?1 = queue, ?2 = type, ?3 = priority, ?4 = position.
   */
  public static String ahead() {
    // The scan runs backwards from the job's own position, to avoid the dead index entries at the
    // start of the lane.
    return ClaimSql.types("")
        + """
         select count(*) from (
          (select 1 from readpast_job
            where queue = ?1 and type = ?2 and priority = ?3 and position < ?4 and state <> 'RUNNING'
            order by position desc limit %1$d)
          union all
          (select 1 from t
            cross join generate_series(cast(?3 as int) + 1, 9) as higher(priority)
            cross join lateral (
              select 1 from readpast_job j
              where queue = ?1 and j.type = t.type and j.priority = higher.priority and state <> 'RUNNING'
                and position is not null
              order by position desc limit %1$d) one
            where t.type is not null limit %1$d)
          limit %1$d) ahead"""
            .formatted(MOST_COUNTED);
  }
}
