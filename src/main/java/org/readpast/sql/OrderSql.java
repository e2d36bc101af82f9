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
  public static final String NEXT_IN_WORK =
      """
      select id, queue, group_key, state from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
        and waits_for || '' = 'GROUP'""";

  /** 1: name, 2: what becomes of it on failure. Creates a batch unless it exists. */
  public static String createBatch() {
    return "insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing";
  }

  /** 1: batch. Gives (name). */
  public static String batchName() {
    return "select name from readpast_batch where id = ?1";
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

  /**
   * Arrays of equal length. 1: queues, 2: groups. Has those groups settled again that have a
   * running job which was leased as the next of its group.
   */
  public static String lookAgainAtGroups() {
    return """
        insert into readpast_settle (event, queue, group_key)
        select distinct 'LOOK', n.queue, n.group_key
        from (%s) n join unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
          on g.queue = n.queue and g.key = n.group_key"""
        .formatted(NEXT_IN_WORK);
  }

  /** Arrays of equal length. 1: batches, 2: waves or null. Has these settled again. */
  public static String lookAgainAtBatches() {
    return """
        insert into readpast_settle (event, batch, wave)
        select 'LOOK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b""";
  }
}
