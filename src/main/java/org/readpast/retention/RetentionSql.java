package org.readpast.retention;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.sql.DependencySql;
import org.readpast.sql.MaintenanceSql;

/** Statements that remove what was kept long enough, and note how deep queues are. */
public final class RetentionSql {
  private RetentionSql() {}

  /**
   * Removes what is kept beside the rows of the jobs of the step "gone"; gives how many those are.
   */
  private static final String FORGET_GONE =
      Stream.of("failure", "log", "progress", "predecessor", "sql_log")
          .map(
              table ->
                  """
                  , %1$s as (
                    delete from readpast_%1$s where job_id = any(array(select id from gone)))"""
                      .formatted(table))
          .collect(Collectors.joining("", "", "\nselect count(*) from gone"));

  /**
   * 1: how many. Removes ended jobs that were kept long enough, except those that others wait for:
   * an operator who is to release these wants to see why. Gives (how many).
   */
  public static String prune() {
    return """
        with gone as (delete from readpast_job_history where id = any(array(
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
        + FORGET_GONE;
  }

  /**
   * 1: how many. Removes the attempts, logs and predecessors of completed jobs that are not kept
   * themselves, once these are an hour old. Gives (how many jobs).
   */
  public static String forget() {
    return """
        with gone as materialized (
          select distinct job_id as id from (
            select job_id from readpast_failure where ended_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_log where logged_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_progress where updated_at < clock_timestamp() - interval '1 hour'
            union all
            select job_id from readpast_predecessor where seen_at < clock_timestamp() - interval '1 hour') kept
          where not exists (select 1 from readpast_job where id = job_id)
            and not exists (select 1 from readpast_job_history where id = job_id)
          limit ?1)"""
        + FORGET_GONE;
  }

  /** 1: how long in ms. Removes batches that finished longer ago and of which no job is stored. */
  public static String pruneBatches() {
    return """
        with gone as (
          delete from readpast_batch where id = any(array(
            select id from readpast_batch b
            where finished_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
              and not exists (select 1 from readpast_job where batch = b.id)
              and not exists (select 1 from readpast_job_history where batch = b.id)
            order by id limit 500 for update skip locked))
          returning id
        ), waves as (
          delete from readpast_wave where batch in (select id from gone)
        ), queues as (
          delete from readpast_batch_queue where batch in (select id from gone)
        ), holds as (
          delete from readpast_hold where batch in (select id from gone) and group_key is null
        )
        delete from readpast_callback where batch in (select id from gone)""";
  }

  /**
   * Removes the rows of groups without special settings. A group without a row works one job at a
   * time, so its row stays until jobs that ran beside each other have ended.
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

  /** Removes answers that are kept no longer. */
  public static String pruneIdempotency() {
    return "delete from readpast_idempotency where created_at < clock_timestamp() - interval '24 hours'";
  }

  /**
   * 1: how long in ms. Removes queues that have not been used for so long and have no settings, and
   * that no job, live or ended, and nothing that will make one names. Those with live jobs are
   * looked at again after that time only, as no index leads from a queue to all of its jobs. Gives
   * (name).
   */
  public static String pruneQueues() {
    // Checked again on delete, because the row may have changed since.
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
   * 1: how many. Removes entries of the audit that no application wants to keep any longer: the
   * longest time that a node has stated applies. Gives (id).
   */
  public static String pruneAudit() {
    return """
        delete from readpast_audit where id = any(array(
          select id from readpast_audit
          where at < (select clock_timestamp() - max(audit_kept_ms) * interval '1 millisecond' from readpast_node)
          order by at, id limit ?1 for update skip locked))
        returning id""";
  }

  /** 1: how long rows of ended nodes are kept, in ms. A node that still owns jobs stays. */
  public static String pruneNodes() {
    return """
        delete from readpast_node n where state in ('DEAD', 'STOPPED')
          and ended_at < clock_timestamp() - cast(?1 as bigint) * interval '1 millisecond'
          and not exists (select 1 from readpast_lease where node = n.no)""";
  }

  /**
   * 1: the limit of a count. Notes how deep queues are, once a minute over all nodes; forgets
   * yesterday.
   */
  public static String noteDepths() {
    return """
        with minutes as (
          delete from readpast_minute where minute < clock_timestamp() - interval '25 hours'
        ), depths as (
          delete from readpast_depth where minute < clock_timestamp() - interval '25 hours'
        )
        insert into readpast_depth (minute, queue, depth)
        select date_trunc('minute', clock_timestamp()), name, depth
        from readpast_queue q cross join lateral %s d(depth)
        where depth > 0 and (select %s)
          and not exists (select 1 from readpast_depth where minute = date_trunc('minute', clock_timestamp()))
        on conflict do nothing"""
        .formatted(MaintenanceSql.DEPTH, DependencySql.TRY_DEPTH_LOCK);
  }

  /** Removes counters of nodes whose rows are gone. */
  public static String pruneListeners() {
    return "delete from readpast_listener where node not in (select no from readpast_node)";
  }

  /** Removes releases that every node that is not cut off has read. */
  public static String pruneReleases() {
    return "delete from readpast_release where released_at < clock_timestamp() - interval '1 minute'";
  }
}
