package org.readpast.sql;

/** Statements that end batches, and jobs, that somebody no longer wants. */
public final class CancelSql {
  private CancelSql() {}

  private static final String NOT_WISHED =
      "not exists (select 1 from readpast_cancellation c where c.job_id = j.id)";

  /** 1: batches, 2: whether only those of which a failure says so. Has them cancelled. */
  public static String cancel() {
    return """
        update readpast_batch set cancelled_at = clock_timestamp(), held_at = null, sealed_at = coalesce(sealed_at, clock_timestamp())
        where id = any(cast(?1 as bigint[])) and cancelled_at is null
          and (not cast(?2 as boolean) or on_failure = 'CANCEL')""";
  }

  /** 1: batches. Gives (id) of those that are being cancelled and have jobs that wait. */
  public static String stillToCancel() {
    return """
        select id from readpast_batch b where id = any(cast(?1 as bigint[])) and cancelled_at is not null
          and exists (select 1 from readpast_job j where j.batch = b.id and j.state = 'BLOCKED')""";
  }

  /** 1: jobs. Locks those that can be cancelled now: (id). */
  public static String lockToCancel() {
    return """
        select id from readpast_job where id = any(cast(?1 as bigint[])) and state <> 'RUNNING'
        order by id for update skip locked""";
  }

  /** 1: jobs. Asks those that are live to end. */
  public static String askJobsToEnd() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j where id = any(cast(?1 as bigint[])) and %s order by id"""
        .formatted(NOT_WISHED);
  }

  /** 1: batches. Asks their leased jobs to end, which are found without the others. */
  public static String askLeasedToEnd() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j
        where id = any(array(select unnest(jobs) from readpast_lease)) and batch + 0 = any(cast(?1 as bigint[]))
          and state = 'RUNNING' and %s order by id"""
        .formatted(NOT_WISHED);
  }

  /** 1: batches. Asks their jobs that may be in work to end; those that wait are ended anyway. */
  public static String askToEnd() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j
        where batch = any(cast(?1 as bigint[])) and state <> 'BLOCKED' and %s order by id"""
        .formatted(NOT_WISHED);
  }

  /** 1: batches. Gives (id) of those that are being cancelled. */
  public static String cancelling() {
    return "select id from readpast_batch where id = any(cast(?1 as bigint[])) and cancelled_at is not null";
  }

  /**
   * 1: batches, 2: how many. Locks jobs that have not started of those being cancelled: (id,
   * batch).
   */
  public static String toCancel() {
    return """
        select j.id, b.id from readpast_batch b cross join lateral (
          select id from readpast_job
          where batch = b.id and %s and %s and state <> 'RUNNING'
          order by id limit ?2 for update skip locked) j
        where b.id = any(cast(?1 as bigint[])) and b.cancelled_at is not null
        limit ?2"""
        .formatted(ClaimSql.ANY_BATCH, ClaimSql.ANY_ID);
  }
}
