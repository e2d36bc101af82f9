package org.readpast.dependency;

import org.readpast.sql.ClaimSql;

/** Contains the statements that cancel batches and jobs. */
public final class CancelSql {
  private CancelSql() {}

  private static final String NOT_REQUESTED =
      "not exists (select 1 from readpast_cancellation c where c.job_id = j.id)";

  /**
   * Marks batches as cancelled and seals them. Parameters: ?1 = batches, ?2 = true to include only
   * batches whose failure policy is CANCEL.
   */
  public static String cancel() {
    return """
        update readpast_batch set cancelled_at = clock_timestamp(), held_at = null, sealed_at = coalesce(sealed_at, clock_timestamp())
        where id = any(cast(?1 as bigint[])) and cancelled_at is null
          and (not cast(?2 as boolean) or on_failure = 'CANCEL')""";
  }

  /**
   * Finds batches that are being cancelled and still have BLOCKED jobs. Returns the column (id).
   * Parameter: ?1 = batches.
   */
  public static String stillToCancel() {
    return """
        select id from readpast_batch b where id = any(cast(?1 as bigint[])) and cancelled_at is not null
          and exists (select 1 from readpast_job j where j.batch = b.id and j.state = 'BLOCKED')""";
  }

  /** Records cancellation requests for the given jobs that are live. Parameter: ?1 = jobs. */
  public static String requestCancellationOfJobs() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j where id = any(cast(?1 as bigint[])) and %s order by id"""
        .formatted(NOT_REQUESTED);
  }

  /**
   * Records cancellation requests for the running jobs of batches. The statement finds the running
   * jobs by their leases, without reading the other jobs. Parameter: ?1 = batches.
   */
  public static String requestCancellationOfLeased() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j
        where id = any(array(select unnest(jobs) from readpast_lease)) and batch + 0 = any(cast(?1 as bigint[]))
          and state = 'RUNNING' and %s order by id"""
        .formatted(NOT_REQUESTED);
  }

  /**
   * Records cancellation requests for the jobs of batches that may be running. BLOCKED jobs need no
   * request, because the resolver cancels them. Parameter: ?1 = batches.
   */
  public static String requestCancellation() {
    return """
        insert into readpast_cancellation (job_id)
        select id from readpast_job j
        where batch = any(cast(?1 as bigint[])) and state <> 'BLOCKED' and %s order by id"""
        .formatted(NOT_REQUESTED);
  }

  /** Finds batches that are being cancelled. Returns the column (id). Parameter: ?1 = batches. */
  public static String cancelling() {
    return "select id from readpast_batch where id = any(cast(?1 as bigint[])) and cancelled_at is not null";
  }

  /**
   * Locks jobs that are not running, in batches that are being cancelled. Returns the columns (id,
   * batch). Parameters: ?1 = batches, ?2 = maximum number of jobs.
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
