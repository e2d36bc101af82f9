package org.readpast.admin.sql;

/** Contains the statement that callers use to wait until a job has ended. */
public final class OutcomeSql {
  private OutcomeSql() {}

  /** Returns (state, result, type) of a job, live or ended. Parameter: ?1 = id. */
  public static String outcome() {
    return """
    select state, null, type from readpast_job where id = ?1
    union all
    select state, cast(result as text), type from readpast_job_history where id = ?1\
    """;
  }
}
