package org.readpast.admin.sql;

/** Holds the statement by which a caller waits for the end of a job. */
public final class OutcomeSql {
  private OutcomeSql() {}

  /** 1: id. Gives (state, result, type) of a job, live or ended. */
  public static String outcome() {
    return """
    select state, null, type from readpast_job where id = ?1
    union all
    select state, cast(result as text), type from readpast_job_history where id = ?1\
    """;
  }
}
