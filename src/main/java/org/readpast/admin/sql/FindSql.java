package org.readpast.admin.sql;

/**
 * Holds the statements that find live or ended jobs for applications, with all columns that these
 * read.
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
   * 1: id. Gives (job, payload, result, exception and message of the latest failure, progress done
   * and total, whether it was asked to end).
   */
  public static String byId() {
    return find(ReadSql.LIVE + "where j.id = ?1 union all " + ReadSql.ENDED + "where h.id = ?1");
  }

  /** 1: unique key. Gives the columns of {@link #byId()} for the live job that holds the key. */
  public static String byUniqueKey() {
    return find(ReadSql.LIVE + "where j.unique_key = ?1");
  }

  /**
   * 1: correlation id, 2: ids above this, 3: maximum number. Gives the columns of {@link #byId()}
   * for each job, ordered by id.
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
