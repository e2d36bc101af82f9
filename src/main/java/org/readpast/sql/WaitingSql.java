package org.readpast.sql;

/** Contains the conditions under which jobs wait for other jobs; several statements share them. */
public final class WaitingSql {
  private WaitingSql() {}

  /** Is true if an added job is not registered yet. */
  // Without the range ANY_ID, the planner would read the table to find such a job, because its
  // statistics may show thousands of them.
  public static final String HAS_UNSEEN =
      "exists (select 1 from readpast_job where unseen and " + ClaimSql.ANY_ID + ")";

  /** Is true if a job is due. A job without a delay stays due when the clock is set back. */
  public static final String DUE = "available_at <= greatest(clock_timestamp(), enqueued_at)";

  /**
   * Selects the wave (no) of a batch whose jobs may run, which is the lowest one with live jobs.
   * The query returns nothing while a lower wave is held or has added jobs that are not registered
   * yet.
   */
  public static final String OPEN_WAVE =
      """
      (select no from (select min(no) from readpast_wave where batch = %1$s and live > 0) lowest(no)
            where no <= coalesce((select min(wave) from readpast_hold where batch = %1$s), no)
              and no <= coalesce((select min(wave) from readpast_job where batch = %1$s and unseen), no))""";

  /**
   * Selects the running jobs (id, queue, group_key, state) that {@link
   * NextInGroupSql#endAndLeaseNext()} has leased. The column {@code waits_for} of these jobs still
   * has the value 'GROUP'.
   */
  public static final String RUNNING_NEXT_IN_GROUP =
      """
      select id, queue, group_key, state from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
        and waits_for || '' = 'GROUP'""";

  /** Returns a row if the resolver may have work to do. */
  public static String pending() {
    return """
        select 1 where exists (select 1 from readpast_dependency_event)
          or %s
          or exists (select 1 from readpast_predecessor where not decided)
          or exists (
            select 1 from readpast_batch b where sealed_at is not null and finished_at is null
              and not exists (select 1 from readpast_wave w where w.batch = b.id and w.live > 0))"""
        .formatted(HAS_UNSEEN);
  }
}
