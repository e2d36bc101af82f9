package org.readpast.retention;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.sql.MaintenanceSql;

/**
 * Contains the statements that delete rows whose retention has expired, and record the depths of
 * queues.
 */
public final class RetentionSql {
  private RetentionSql() {}

  /**
   * Acquires the lock for counting the depths of queues, if the lock is free. The lock is held
   * until the end of the transaction.
   */
  private static final String TRY_DEPTH_LOCK =
      "pg_try_advisory_xact_lock(1380995925, cast(cast('readpast_depth' as regclass) as int))";

  /**
   * Deletes the data about the jobs of the step "obsolete" that is stored in other tables, and
   * returns the number of jobs.
   */
  private static final String DELETE_DATA =
      Stream.of("failure", "log", "progress", "predecessor", "sql_log")
          .map(
              table ->
                  """
                  , %1$s as (
                    delete from readpast_%1$s where job_id = any(array(select id from obsolete)))"""
                      .formatted(table))
          .collect(Collectors.joining("", "", "\nselect count(*) from obsolete"));

  /**
   * Deletes ended jobs whose retention has expired. Jobs that other jobs wait for are kept, because
   * an operator who is to release the waiting jobs needs to see why they wait. Returns the column
   * (number of jobs). Parameter: ?1 = maximum number.
   */
  public static String prune() {
    return """
        with obsolete as (delete from readpast_job_history where id = any(array(
          select id from readpast_job_history ended
          where kept_until < (select clock_timestamp())
            and not exists (
              select 1 from readpast_predecessor p join readpast_job j on j.id = p.job_id
              where p.predecessor_id = ended.id and p.on_failure = 'HOLD' and j.state = 'BLOCKED')
            and not (state = 'DISCARDED' and exists (
              select 1 from readpast_hold s left join readpast_batch b on b.id = s.batch
              where s.job_id = ended.id and (s.group_key is not null or b.finished_at is null)))
          order by kept_until limit ?1
          for update skip locked))
        returning id)"""
        + DELETE_DATA;
  }

  /**
   * Deletes the attempts, logs, records of executed SQL and predecessors of completed jobs that are
   * not kept, once this data is an hour old. Returns the column (number of jobs). Parameter: ?1 =
   * maximum number.
   */
  public static String forget() {
    return """
        with obsolete as materialized (
          select distinct job_id as id from (
            select job_id from readpast_failure where ended_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_log where logged_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_progress where updated_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_sql_log where started_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_predecessor where seen_at < clock_timestamp() - interval '1 hour') kept
          where not exists (select 1 from readpast_job where id = job_id)
            and not exists (select 1 from readpast_job_history where id = job_id)
          limit ?1)"""
        + DELETE_DATA;
  }

  /**
   * Deletes batches without stored jobs whose retention has expired. Parameter: ?1 = time in ms for
   * which finished batches are kept.
   */
  public static String pruneBatches() {
    return """
        with deleted as (
          delete from readpast_batch where id = any(array(
            select id from readpast_batch b
            where finished_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
              and not exists (select 1 from readpast_job where batch = b.id)
              and not exists (select 1 from readpast_job_history where batch = b.id)
            order by id limit 500 for update skip locked))
          returning id
        ), waves as (
          delete from readpast_wave where batch in (select id from deleted)
        ), queues as (
          delete from readpast_batch_queue where batch in (select id from deleted)
        ), holds as (
          delete from readpast_hold where batch in (select id from deleted) and group_key is null
        )
        delete from readpast_callback where batch in (select id from deleted)""";
  }

  /**
   * Deletes the rows of groups that have no special settings. A group without a row runs one job at
   * a time, so the row of a group stays until jobs that ran concurrently have ended.
   */
  public static String pruneGroups() {
    return """
        delete from readpast_group where (queue, key) in (
          select queue, key from readpast_group g
          where concurrency = 1 and not exists (
            select 1 from readpast_job where queue = g.queue and group_key = g.key and waits_for is null)
            and not exists (
            select 1 from readpast_job where queue = g.queue and group_key = g.key and waits_for = 'GROUP')
          for update skip locked)""";
  }

  /**
   * Deletes objects that runs of rules have found, once the jobs of these runs have ended without
   * completing them. If such a job is reset, the run repeats its search. Returns the column (run).
   * Parameter: ?1 = maximum number.
   */
  public static String pruneFound() {
    return """
        with ended as materialized (
          select id from readpast_rule_run r
          where state <> 'COMPLETED' and not exists (select 1 from readpast_job where id = r.job_id)
        ), unstaged as (
          update readpast_rule_run set staged = null where id in (select id from ended) and staged is not null
        )
        delete from readpast_rule_found where ctid = any(array(
          select f.ctid from ended e join readpast_rule_found f on f.run = e.id limit ?1))
        returning run""";
  }

  /** Deletes stored responses whose retention has expired. */
  public static String pruneIdempotency() {
    return "delete from readpast_idempotency where created_at < clock_timestamp() - interval '24 hours'";
  }

  /**
   * Deletes queues that have not been used for the given time, have no settings, and are named by
   * no live or ended job and by nothing that creates jobs. If a queue has live jobs, it is checked
   * again only after that time, because no index leads from a queue to all of its jobs. Returns the
   * column (name). Parameter: ?1 = time in ms.
   */
  public static String pruneQueues() {
    // The deletion checks the condition again, because the row may have changed since the
    // selection.
    String unused =
        """
        used_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond' and not paused
            and concurrency is null and reserved is null and global_concurrency is null
            and configured_global_concurrency is null""";
    return """
        with idle as materialized (
          select name from readpast_queue q
          where %1$s
            and not exists (select 1 from readpast_job_history where queue = q.name)
            and not exists (select 1 from readpast_schedule where queue = q.name)
            and not exists (select 1 from readpast_rule where queue = q.name)
            and not exists (select 1 from readpast_callback where queue = q.name)
            and not exists (select 1 from readpast_group where queue = q.name)
        ), filled as materialized (
          select name from idle where name in (select queue from readpast_job)
        ), used as (
          update readpast_queue set used_at = clock_timestamp() where name in (select name from filled)
        )
        delete from readpast_queue
        where name in (select name from idle except select name from filled) and %1$s
        returning name"""
        .formatted(unused);
  }

  /**
   * Deletes audit entries whose retention has expired. The longest retention that any node has
   * specified applies. Returns the column (id). Parameter: ?1 = maximum number.
   */
  public static String pruneAudit() {
    return """
        delete from readpast_audit where id = any(array(
          select id from readpast_audit
          where at < (select clock_timestamp() - max(audit_kept_ms) * interval '1 millisecond' from readpast_node)
          order by at, id limit ?1 for update skip locked))
        returning id""";
  }

  /**
   * Deletes ended nodes that no longer own jobs. Parameter: ?1 = time in ms for which ended nodes
   * are kept.
   */
  public static String pruneNodes() {
    return """
        delete from readpast_node n where state in ('DEAD', 'STOPPED')
          and ended_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
          and not exists (select 1 from readpast_lease where node = n.no)""";
  }

  /**
   * Records the depths of queues, once a minute across all nodes. Deletes minutes and depths that
   * are older than 25 hours, and seconds that are older than ten minutes. Parameter: ?1 = number at
   * which counting stops.
   */
  public static String noteDepths() {
    // A volatile function cannot be the condition of an index scan, so the times are subqueries.
    // For a range, the planner expects few rows; for a condition with one bound, it would read the
    // whole table.
    return """
        with minutes as (
          delete from readpast_minute
          where minute > '-infinity' and minute < (select clock_timestamp() - interval '25 hours')
        ), seconds as (
          delete from readpast_second
          where second > '-infinity' and second < (select clock_timestamp() - interval '10 minutes')
        ), depths as (
          delete from readpast_depth
          where minute > '-infinity' and minute < (select clock_timestamp() - interval '25 hours')
        )
        insert into readpast_depth (minute, queue, depth)
        select date_trunc('minute', clock_timestamp()), name, depth
        from readpast_queue q cross join lateral %s d(depth)
        where depth > 0 and (select %s)
          and not exists (select 1 from readpast_depth where minute = date_trunc('minute', clock_timestamp()))
        on conflict do nothing"""
        .formatted(MaintenanceSql.DEPTH, TRY_DEPTH_LOCK);
  }

  /** Deletes the counters of nodes whose rows were deleted. */
  public static String pruneListeners() {
    return "delete from readpast_listener where node not in (select no from readpast_node)";
  }

  /**
   * Deletes releases that are older than a minute, because every node that is not cut off has read
   * them. If the clock has been set back since a release, its time is in the future.
   */
  public static String pruneReleases() {
    return """
        delete from readpast_release where released_at < (select clock_timestamp() - interval '1 minute')
          or released_at > (select clock_timestamp() + interval '1 minute')""";
  }
}
