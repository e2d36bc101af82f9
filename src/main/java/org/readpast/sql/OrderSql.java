package org.readpast.sql;

/**
 * Statements by which jobs come to wait for others; in the caller's transaction they only insert.
 */
public final class OrderSql {
  private OrderSql() {}

  /**
   * A query (id, queue, group_key, state): jobs in work that still say that they wait for their
   * turn in their group, as {@link NextInGroupSql#endAndLeaseNext()} leaves them.
   */
  static final String NEXT_IN_WORK =
      """
      select id, queue, group_key, state from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
        and waits_for || '' = 'GROUP'""";

  /** 1: name, 2: what becomes of it on failure. Creates a batch unless it exists. */
  public static String createBatch() {
    return "insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing";
  }

  /** 1: name. Gives (id, on failure, sealed, cancelled, finished). */
  public static String batch() {
    return """
        select id, on_failure, sealed_at is not null, cancelled_at is not null, finished_at is not null
        from readpast_batch where name = ?1""";
  }

  /**
   * 1: names. Gives (name, id) of those batches that are open to additions, and keeps them from
   * finishing to the end of the transaction.
   */
  public static String addTo() {
    return """
        select name, id from readpast_batch where name = any(cast(?1 as text[])) and sealed_at is null
        order by id for key share""";
  }

  /** 1: ids. Gives (id) of those that no job has ever had. */
  public static String unknown() {
    return """
        select id from unnest(cast(?1 as bigint[])) id
        where id < 1 or id > (select case when is_called then last_value else 0 end from readpast_job_id)""";
  }

  /** Arrays of equal length. 1: jobs, 2: their predecessors, 3: on failure. */
  public static String follow() {
    return """
        insert into readpast_predecessor (job_id, predecessor_id, on_failure)
        select * from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as text[]))
        on conflict do nothing""";
  }

  /** 1: job. Has it cancelled once this transaction has committed. */
  public static String cancelJob() {
    return "insert into readpast_settle (event, job_id) values ('CANCEL', ?1)";
  }

  /** 1: ids. The same for those that wait for others. */
  public static String cancelJobs() {
    return """
        insert into readpast_settle (event, job_id)
        select 'CANCEL', id from readpast_job where id = any(cast(?1 as bigint[])) and state = 'BLOCKED'""";
  }

  /** 1: queue, 2: group. Has it looked at once this transaction has committed. */
  public static String lookAtGroup() {
    return "insert into readpast_settle (event, queue, group_key) values ('LOOK', ?1, ?2)";
  }

  /**
   * 1: queues, 2: groups. The same for those of which something is in work that was leased as next.
   */
  public static String lookAgainAtGroups() {
    return """
        insert into readpast_settle (event, queue, group_key)
        select distinct 'LOOK', n.queue, n.group_key
        from (%s) n join unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
          on g.queue = n.queue and g.key = n.group_key"""
        .formatted(NEXT_IN_WORK);
  }

  /** Arrays of equal length. 1: batches, 2: waves or null. The same for these. */
  public static String lookAgainAtBatches() {
    return """
        insert into readpast_settle (event, batch, wave)
        select 'LOOK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b""";
  }

  /** 1: event, 2: batch. Has it seen to once this transaction has committed. */
  public static String tellOfBatch() {
    return "insert into readpast_settle (event, batch) values (?1, ?2)";
  }

  /** 1: queue, 2: group. Has its hold skipped once this transaction has committed. */
  public static String skipGroup() {
    return "insert into readpast_settle (event, queue, group_key) values ('SKIP', ?1, ?2)";
  }

  /** 1: queue, 2: group. Gives (job) of some of those that hold it. */
  public static String holding() {
    return "select job_id from readpast_hold where queue = ?1 and group_key = ?2 order by 1 limit 10";
  }

  /** 1: queue, 2: group, 3: how many of its jobs may run at a time. Gives (how many before). */
  public static String limitGroup() {
    return """
        with old as (select concurrency from readpast_group where queue = ?1 and key = ?2)
        insert into readpast_group (queue, key, concurrency) values (?1, ?2, ?3)
        on conflict (queue, key) do update set concurrency = excluded.concurrency
        returning coalesce((select concurrency from old), 1)""";
  }

  /**
   * 1: batch, 2: event, 3: queue, 4: type, 5: priority, 6: max attempts, 7: correlation id, 8:
   * properties, 9: payload, 10: who enqueues it, 11: their roles.
   */
  public static String callback() {
    return """
        insert into readpast_callback (batch, event, queue, type, priority, max_attempts, correlation_id, properties,
          payload, enqueued_by, enqueuer_roles)
        values (?1, ?2, ?3, ?4, cast(?5 as smallint), cast(?6 as int), cast(?7 as text), cast(?8 as json),
          cast(?9 as json), cast(?10 as text), cast(?11 as text))""";
  }
}
