package org.readpast.admin.sql;

/** Holds the statements by which operators and applications change batches and groups. */
public final class BatchSql {
  private BatchSql() {}

  /** 1: event, 2: batch. Requests a change, which is made once this transaction has committed. */
  public static String tellOfBatch() {
    return "insert into readpast_dependency_event (event, batch) values (?1, ?2)";
  }

  /**
   * 1: batch, 2: event, 3: queue, 4: type, 5: priority, 6: max attempts, 7: correlation id, 8:
   * properties, 9: payload, 10: enqueuer, 11: roles of the enqueuer, 12: id that the job will get
   * or null. Adds a job to enqueue at an event of a batch.
   */
  public static String callback() {
    return """
        insert into readpast_callback (batch, event, queue, type, priority, max_attempts, correlation_id, properties,
          payload, enqueued_by, enqueuer_roles, reserved_id)
        values (?1, ?2, ?3, ?4, cast(?5 as smallint), cast(?6 as int), cast(?7 as text), cast(?8 as json),
          cast(?9 as json), cast(?10 as text), cast(?11 as text), cast(?12 as bigint))""";
  }

  /** 1: queue, 2: group. Requests that its hold be skipped once this transaction has committed. */
  public static String skipGroup() {
    return "insert into readpast_dependency_event (event, queue, group_key) values ('SKIP', ?1, ?2)";
  }

  /**
   * 1: queue, 2: group. Requests that the dependency resolver checks the group once this
   * transaction has committed.
   */
  public static String lookAtGroup() {
    return "insert into readpast_dependency_event (event, queue, group_key) values ('RECHECK', ?1, ?2)";
  }

  /** 1: queue, 2: group. Gives (job) of some discarded jobs that hold the group. */
  public static String holding() {
    return "select job_id from readpast_hold where queue = ?1 and group_key = ?2 order by 1 limit 10";
  }

  /** 1: queue, 2: group, 3: its new concurrency. Gives (the previous concurrency). */
  public static String limitGroup() {
    return """
        with old as (select concurrency from readpast_group where queue = ?1 and key = ?2)
        insert into readpast_group (queue, key, concurrency) values (?1, ?2, ?3)
        on conflict (queue, key) do update set concurrency = excluded.concurrency
        returning coalesce((select concurrency from old), 1)""";
  }
}
