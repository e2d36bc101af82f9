package org.readpast.sql;

/** The statement by which a caller waits for the end of a job. */
public final class OutcomeSql {
  private OutcomeSql() {}

  /** 1: id. Gives (state, result) of a job, live or ended. */
  public static String outcome() {
    return """
    select case when exists (select 1 from readpast_node n where n.state in ('ACTIVE', 'STOPPING') and j.id = any(n.working))
      then 'RUNNING' else j.state end, null
    from readpast_job j where j.id = ?1
    union all
    select state, cast(result as text) from readpast_job_history where id = ?1\
    """;
  }
}
