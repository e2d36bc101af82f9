package org.readpast.admin.sql;

/** Contains the statements about the log of SQL jobs. */
public final class SqlLogSql {
  private SqlLogSql() {}

  /**
   * Records the start of an execution of SQL. Returns the column (id). Parameters: ?1 = job, ?2 =
   * attempt, ?3 = name of the statement or null, ?4 = data source.
   */
  public static String begin() {
    return """
        insert into readpast_sql_log (job_id, attempt, statement, datasource)
        values (?1, ?2, cast(?3 as text), ?4) returning id""";
  }

  /**
   * Records the end of an execution of SQL. Parameters: ?1 = id, ?2 = number of rows or null, ?3 =
   * error or null.
   */
  public static String end() {
    return """
        update readpast_sql_log set ended_at = clock_timestamp(), rows = cast(?2 as bigint), error = cast(?3 as text)
        where id = ?1""";
  }

  /**
   * Returns executions of SQL, newest first: (id, job, attempt, name, data source, started at,
   * ended at, rows, error). If some queues are hidden, only executions whose job is still stored
   * are returned. Parameters: ?1 = id below which to continue, ?2 = job or null, ?3 = maximum
   * number, ?4 and ?5 = the visible queues (see {@link ScopeSql}).
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
