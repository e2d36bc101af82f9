package org.readpast.sql;

/** Contains the statements about failed attempts. */
public final class FailureSql {
  private FailureSql() {}

  /**
   * Records that a node could not read a payload, and replaces the node's previous record about it.
   * Parameters: ?1 = job, ?2 = attempt, ?3 = node, ?4 = start time, ?5 = exception, ?6 = message,
   * ?7 = trace.
   */
  public static String recordUnreadable() {
    return """
        with before as (
          delete from readpast_failure where job_id = ?1 and node = ?3 and kind = 'UNREADABLE')
        insert into readpast_failure (job_id, attempt, node, started_at, kind, exception, message, trace)
        values (?1, ?2, ?3, cast(?4 as timestamptz), 'UNREADABLE', cast(?5 as text), cast(?6 as text),
          cast(?7 as text))""";
  }

  /**
   * Returns the number of failures with an exception among the last ones of a job. Parameters: ?1 =
   * job, ?2 = number of failures to count among, ?3 = exception.
   */
  public static String countAmongLast() {
    return """
        select count(*) from (
          select exception from readpast_failure where job_id = ?1 order by id desc limit ?2) f
        where exception = ?3""";
  }

  /**
   * Records a failed attempt. Parameters: ?1 = job, ?2 = attempt, ?3 = node, ?4 = start time, ?5 =
   * kind, ?6 = exception, ?7 = message, ?8 = trace.
   */
  public static String record() {
    return """
        insert into readpast_failure (job_id, attempt, node, started_at, kind, exception, message, trace)
        values (?1, ?2, cast(?3 as int), cast(?4 as timestamptz), ?5, cast(?6 as text), cast(?7 as text),
          cast(?8 as text))""";
  }
}
