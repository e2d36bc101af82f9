package org.readpast.admin.sql;

/**
 * Contains the statements that find live or ended jobs for applications, with all columns that
 * applications can read.
 */
public final class FindSql {
  private FindSql() {}

  // A single statement reads a single snapshot, so a job that ends in the meantime is found exactly
  // once.
  private static String find(String jobs) {
    return ReadSql.COLUMNS
        + """
        , cast(x.payload as text), cast(x.result as text), f.exception, f.message, p.done, p.total,
          exists (select 1 from readpast_cancellation c where c.job_id = x.id)
        from ("""
        + jobs
        + """
        ) x left join readpast_type t on t.name = x.type
        left join lateral (
          select exception, message from readpast_failure where job_id = x.id order by id desc limit 1) f on true
        left join readpast_progress p on p.job_id = x.id
        order by x.id""";
  }

  /**
   * Returns the columns (job, payload, result, exception and message of the latest failure,
   * progress done, progress total, true if a cancellation was requested). Parameter: ?1 = id.
   */
  public static String byId() {
    return find(ReadSql.LIVE + "where j.id = ?1 union all " + ReadSql.ENDED + "where h.id = ?1");
  }

  /**
   * Returns the columns of {@link #byId()} for the live job that has a unique key. Parameter: ?1 =
   * unique key.
   */
  public static String byUniqueKey() {
    return find(ReadSql.LIVE + "where j.unique_key = ?1");
  }

  /**
   * Returns the columns of {@link #byId()} for each job with a correlation id, in the order of the
   * ids. Parameters: ?1 = correlation id, ?2 = id after which to start, ?3 = maximum number.
   */
  public static String byCorrelationId() {
    return find(
        "select * from (("
            + ReadSql.LIVE
            + "where j.correlation_id = ?1 and j.id > ?2 order by j.id limit ?3) union all ("
            + ReadSql.ENDED
            + "where h.correlation_id = ?1 and h.id > ?2 order by h.id limit ?3)) u order by id"
            + " limit ?3");
  }
}
