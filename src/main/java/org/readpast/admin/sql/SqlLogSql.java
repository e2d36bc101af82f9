package org.readpast.admin.sql;

/** Holds the statements on the log of SQL jobs. */
public final class SqlLogSql {
  private SqlLogSql() {}

  /**
   * 1: job, 2: attempt, 3: name or null, 4: data source. Records the start of an execution. Gives
   * (id).
   */
  public static String begin() {
    return """
        insert into readpast_sql_log (job_id, attempt, statement, datasource)
        values (?1, ?2, cast(?3 as text), ?4) returning id""";
  }

  /** 1: id, 2: rows or null, 3: error or null. Records the end of an execution. */
  public static String end() {
    return """
        update readpast_sql_log set ended_at = clock_timestamp(), rows = cast(?2 as bigint), error = cast(?3 as text)
        where id = ?1""";
  }

  /**
   * 1: ids below this, 2: job or null, 3: maximum number, 4 and 5: the visible queues, as {@link
   * ScopeSql}; if some queues are hidden, the job must still be stored. Gives (id, job, attempt,
   * name, data source, started at, ended at, rows, error), newest first.
   */
  public static String page() {
    return """
        select id, job_id, attempt, statement, datasource, started_at, ended_at, rows, error
        from readpast_sql_log l where id < ?1 and (cast(?2 as bigint) is null or job_id = cast(?2 as bigint))
          and (%1$s or exists (select 1 from readpast_job where id = l.job_id and %2$s)
            or exists (select 1 from readpast_job_history where id = l.job_id and %2$s))
        order by id desc limit ?3"""
        .formatted(ScopeSql.seesAll(4), ScopeSql.sees("queue", 4));
  }
}
