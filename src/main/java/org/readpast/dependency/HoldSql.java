package org.readpast.dependency;

/**
 * Contains the statements about discarded jobs that keep other jobs waiting. The statements require
 * the lock of the dependency resolver ({@link DependencySql#lock()}).
 */
public final class HoldSql {
  private HoldSql() {}

  /**
   * Makes discarded jobs hold their groups, and also their waves if the failure policy of the batch
   * is HOLD. Parameters: arrays of equal length: ?1 = jobs, ?2 = batches, ?3 = waves, ?4 = queues,
   * ?5 = groups that they hold, or null.
   */
  public static String hold() {
    return """
        insert into readpast_hold (job_id, batch, wave, queue, group_key)
        select e.job_id, b.id, case when b.id is not null then e.wave end,
          case when e.group_key is not null then e.queue end, e.group_key
        from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as int[]), cast(?4 as text[]), cast(?5 as text[]))
          as e(job_id, batch, wave, queue, group_key)
        left join readpast_batch b on b.id = e.batch and b.on_failure = 'HOLD'
        where b.id is not null or e.group_key is not null
        on conflict (job_id) do update set batch = excluded.batch, wave = excluded.wave, queue = excluded.queue,
          group_key = excluded.group_key""";
  }

  /** Ends all holds of jobs. Parameter: ?1 = jobs. */
  public static String endHolds() {
    return "delete from readpast_hold where job_id = any(cast(?1 as bigint[]))";
  }

  /**
   * Ends the holds of waves by the given jobs, and by all jobs of the given batches. Parameters: ?1
   * = jobs that are live again, ?2 = batches whose holds are skipped.
   */
  public static String endWaveHolds() {
    return """
        with deleted as (
          delete from readpast_hold where group_key is null
            and (job_id = any(cast(?1 as bigint[])) or batch = any(cast(?2 as bigint[]))))
        update readpast_hold set batch = null, wave = null where group_key is not null
          and (job_id = any(cast(?1 as bigint[])) or batch = any(cast(?2 as bigint[])))""";
  }

  /** Ends the holds of groups. Parameters: arrays of equal length: ?1 = queues, ?2 = groups. */
  public static String endGroupHolds() {
    return """
        with skipped as materialized (
          select job_id, batch from readpast_hold h
          join unnest(cast(?1 as text[]), cast(?2 as text[])) as g(queue, key)
            on h.queue = g.queue and h.group_key = g.key
        ), deleted as (
          delete from readpast_hold where job_id in (select job_id from skipped where batch is null))
        update readpast_hold set queue = null, group_key = null
        where job_id in (select job_id from skipped where batch is not null)""";
  }
}
