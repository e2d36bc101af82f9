package org.readpast.sql;

/** Contains the statements that make leased jobs claimable again without ending them. */
public final class ReleaseSql {
  private ReleaseSql() {}

  // If a job was leased as the next job of its group, other jobs of the group may precede it after
  // its release. A job of a group that is released therefore waits for its group again, and the
  // resolver decides which job is next.
  private static final String NEXT = "(e_ordered and coalesce(j.waits_for = 'GROUP', false))";

  // The death of a node counts as an attempt as long as the job is suspected to be the cause. A job
  // that keeps its position stays in the index of claims, below the marks from which nodes claim,
  // so readpast_release reports the position to the nodes.
  private static final String RELEASE =
      """
      with given as (
        update readpast_job j set
          state = case when %1$s then 'BLOCKED' when e_pause > 0 then 'SCHEDULED' else 'AVAILABLE' end,
          position = case when %1$s or e_pause > 0 then null
            when e_ordered and position is not null then position else nextval('readpast_position') end,
          waits_for = case when %1$s then 'GROUP' end,
          available_at = case when e_ordered and e_pause = 0 then available_at
            else clock_timestamp() + e_pause * interval '1 millisecond' end,
          claimed_at = case when e_started then claimed_at end,
          claim_no = j.claim_no + 1, attempt = attempt - case when e_started then 0 else 1 end,
          uncounted = nullif(coalesce(uncounted, 0) + case when e_started and not e_counted then 1 else 0 end
            + case when e_crashes is null then coalesce(crashes, 0) else 0 end, 0),
          crashes = case when e_crashes = -1 then crashes else e_crashes end, owner = null, deadline = null
        from unnest(cast(?1 as bigint[]), cast(?2 as int[]), cast(?3 as boolean[]), cast(?4 as boolean[]),
            cast(?5 as int[]), cast(?6 as bigint[]), cast(?7 as boolean[]))
          as e(e_id, e_claim_no, e_started, e_counted, e_crashes, e_pause, e_ordered)
        where j.id = e_id and j.claim_no = e_claim_no and j.state = 'RUNNING'
        returning j.id, j.queue, j.type, j.priority, j.position, j.group_key, j.waits_for, e_ordered
      ), rechecked as (
        insert into readpast_dependency_event (event, queue, group_key)
        select distinct 'RECHECK', queue, group_key from given where waits_for = 'GROUP'
      ), released as (
        insert into readpast_release (queue, type, priority, position)
        select queue, type, priority, min(position) from given where e_ordered and position is not null
        group by queue, type, priority
      ) select id, waits_for is not null, queue, type, priority, position, e_ordered from given"""
          .formatted(NEXT);

  /**
   * Announces jobs that other claims may have skipped, because their rows were locked by a
   * transaction that was then rolled back. Parameters: arrays of equal length: ?1 = queues, ?2 =
   * types, ?3 = priorities, ?4 = positions.
   */
  public static String announce() {
    return """
        insert into readpast_release (queue, type, priority, position)
        select * from unnest(cast(?1 as text[]), cast(?2 as text[]), cast(?3 as smallint[]), cast(?4 as bigint[]))""";
  }

  /**
   * Locks the given jobs that no other transaction has locked. Returns (id). Parameter: ?1 = ids.
   */
  public static String lock() {
    return "select id from readpast_job where id = any(cast(?1 as bigint[])) order by id for update skip locked";
  }

  /**
   * Releases leased jobs. Returns (id, true if the job waits for its group again, queue, type,
   * priority, position or null, true if it keeps its position) of the jobs that still had the given
   * claim_nos. Parameters: arrays of equal length: ?1 = ids, ?2 = claim_nos, ?3 = true if the
   * handler has started, ?4 = true if that start counts as an attempt, ?5 = deaths that are charged
   * to the job, null for none, -1 to leave them unchanged, ?6 = pause in ms or 0, ?7 = true if the
   * job keeps its position.
   */
  public static String release() {
    return RELEASE;
  }
}
