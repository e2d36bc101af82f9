package org.readpast.sql;

/**
 * Contains the statements that make jobs wait for other jobs. In the caller's transaction, the
 * statements only insert.
 */
public final class OrderSql {
  private OrderSql() {}

  /**
   * A query (id, queue, group_key, state) for the running jobs that {@link
   * NextInGroupSql#endAndLeaseNext()} has leased. The column {@code waits_for} of these jobs still
   * has the value 'GROUP'.
   */
  public static final String RUNNING_NEXT_IN_GROUP =
      """
      select id, queue, group_key, state from readpast_job
      where id = any(array(select unnest(jobs) from readpast_lease where of_groups)) and state = 'RUNNING'
        and waits_for || '' = 'GROUP'""";

  /** Creates a batch unless it exists. Parameters: ?1 = name, ?2 = failure policy. */
  public static String createBatch() {
    return "insert into readpast_batch (name, on_failure) values (?1, ?2) on conflict do nothing";
  }

  /** Returns (name) of a batch. Parameter: ?1 = batch. */
  public static String batchName() {
    return "select name from readpast_batch where id = ?1";
  }

  /**
   * Finds a batch by its name. Returns the columns (id, failure policy, sealed, cancelled,
   * finished). Parameter: ?1 = name.
   */
  public static String batch() {
    return """
        select id, on_failure, sealed_at is not null, cancelled_at is not null, finished_at is not null
        from readpast_batch where name = ?1""";
  }

  /**
   * Finds those of the batches that are not sealed, and keeps them from finishing until the end of
   * the transaction. Returns the columns (name, id). Parameter: ?1 = names of batches.
   */
  public static String addTo() {
    return """
        select name, id from readpast_batch where name = any(cast(?1 as text[])) and sealed_at is null
        order by id for key share""";
  }

  /** Finds ids that no job has ever had. Returns the column (id). Parameter: ?1 = ids. */
  public static String unknown() {
    return """
        select id from unnest(cast(?1 as bigint[])) id
        where id < 1 or id > (select case when is_called then last_value else 0 end from readpast_job_id)""";
  }

  /**
   * Makes jobs wait for predecessors. Parameters: arrays of equal length: ?1 = jobs, ?2 = their
   * predecessors, ?3 = failure policies.
   */
  public static String follow() {
    return """
        insert into readpast_predecessor (job_id, predecessor_id, on_failure)
        select * from unnest(cast(?1 as bigint[]), cast(?2 as bigint[]), cast(?3 as text[]))
        on conflict do nothing""";
  }

  /**
   * Requests another check of those of the groups that have a running job which was leased as the
   * next job of its group. Parameters: arrays of equal length: ?1 = queues, ?2 = groups.
   */
  public static String requestGroupCheck() {
    return """
        insert into readpast_dependency_event (event, queue, group_key)
        select distinct 'RECHECK', n.queue, n.group_key
        from (%s) n join unnest(cast(?1 as text[]), cast(?2 as text[])) g(queue, key)
          on g.queue = n.queue and g.key = n.group_key"""
        .formatted(RUNNING_NEXT_IN_GROUP);
  }

  /**
   * Requests another check of batches or waves. Parameters: arrays of equal length: ?1 = batches,
   * ?2 = waves or null.
   */
  public static String requestCheck() {
    return """
        insert into readpast_dependency_event (event, batch, wave)
        select 'RECHECK', b.* from unnest(cast(?1 as bigint[]), cast(?2 as int[])) b""";
  }
}
