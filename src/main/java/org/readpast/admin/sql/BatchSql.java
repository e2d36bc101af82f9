package org.readpast.admin.sql;

/** Holds the statements by which operators and applications change batches and groups. */
public final class BatchSql {
  private BatchSql() {}

  /**
   * Requests a change to a batch, which is made after this transaction has committed. Parameters:
   * ?1 = event, ?2 = batch.
   */
  public static String recordEvent() {
    return "insert into readpast_dependency_event (event, batch) values (?1, ?2)";
  }

  /**
   * Adds a job that is enqueued at an event of a batch. Parameters: ?1 = batch, ?2 = event, ?3 =
   * queue, ?4 = type, ?5 = priority, ?6 = max attempts, ?7 = correlation id, ?8 = properties, ?9 =
   * payload, ?10 = enqueuer, ?11 = roles of the enqueuer, ?12 = id that the job will have or null.
   */
  public static String callback() {
    return """
        insert into readpast_callback (batch, event, queue, type, priority, max_attempts, correlation_id, properties,
          payload, enqueued_by, enqueuer_roles, reserved_id)
        values (?1, ?2, ?3, ?4, cast(?5 as smallint), cast(?6 as int), cast(?7 as text), cast(?8 as json),
          cast(?9 as json), cast(?10 as text), cast(?11 as text), cast(?12 as bigint))""";
  }

  /**
   * Requests that a group continue in spite of its discarded job, after this transaction has
   * committed. Parameters: ?1 = queue, ?2 = group.
   */
  public static String skipGroup() {
    return "insert into readpast_dependency_event (event, queue, group_key) values ('SKIP', ?1, ?2)";
  }

  /**
   * Requests that the dependency resolver check a group, after this transaction has committed.
   * Parameters: ?1 = queue, ?2 = group.
   */
  public static String lookAtGroup() {
    return "insert into readpast_dependency_event (event, queue, group_key) values ('RECHECK', ?1, ?2)";
  }

  /** Returns (job) of some discarded jobs that hold a group. Parameters: ?1 = queue, ?2 = group. */
  public static String holding() {
    return "select job_id from readpast_hold where queue = ?1 and group_key = ?2 order by 1 limit 10";
  }

  /**
   * Sets the concurrency of a group. Returns the column (previous concurrency). Parameters: ?1 =
   * queue, ?2 = group, ?3 = new concurrency.
   */
  public static String limitGroup() {
    return """
        with old as (select concurrency from readpast_group where queue = ?1 and key = ?2)
        insert into readpast_group (queue, key, concurrency) values (?1, ?2, ?3)
        on conflict (queue, key) do update set concurrency = excluded.concurrency
        returning coalesce((select concurrency from old), 1)""";
  }
}
