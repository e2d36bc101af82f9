package org.readpast.sql;

/** What is kept of an attempt that did not end well. */
public final class FailureSql {
  private FailureSql() {}

  /**
   * 1: id. Gives (claim_no, whether it is RUNNING) and locks the row, unless it is gone or somebody
   * holds it.
   */
  public static String lockRow() {
    return "select claim_no, state = 'RUNNING' from readpast_job where id = ?1 for update skip locked";
  }

  /** 1: id. Gives a row while the job is live. */
  public static String live() {
    return "select 1 from readpast_job where id = ?1";
  }

  /**
   * 1: id, 2: attempts to leave uncounted (0 or 1). Counts an attempt of a job that somebody else
   * has taken over meanwhile.
   */
  public static String countAttempt() {
    return """
        update readpast_job set attempt = attempt + 1, uncounted = coalesce(uncounted, 0) + cast(?2 as int)
        where id = ?1""";
  }

  /** 1: job, 2: attempt, 3: node, 4: started at. Gives a row if its failure is kept. */
  public static String failure() {
    return """
        select 1 from readpast_failure
        where job_id = ?1 and attempt = ?2 and node = ?3 and started_at = cast(?4 as timestamptz)""";
  }

  /** 1: job, 2: attempt, 3: node, 4: started at, 5: kind, 6: exception, 7: message, 8: trace. */
  public static String record() {
    return """
        insert into readpast_failure (job_id, attempt, node, started_at, kind, exception, message, trace)
        values (?1, ?2, cast(?3 as int), cast(?4 as timestamptz), ?5, cast(?6 as text), cast(?7 as text),
          cast(?8 as text))""";
  }
}
