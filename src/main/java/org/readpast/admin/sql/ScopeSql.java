package org.readpast.admin.sql;

/**
 * Provides the conditions that limit a statement to the queues that its caller sees. Each condition
 * has two parameters: names of queues (text[]), and true if these queues are hidden, or false if
 * only these are visible.
 */
final class ScopeSql {
  private ScopeSql() {}

  /**
   * Returns a condition that is true for a visible queue.
   *
   * @param queue the column
   * @param first the number of the first of the two parameters
   */
  static String sees(String queue, int first) {
    return "(%s = any(cast(?%d as text[]))) <> cast(?%d as boolean)"
        .formatted(queue, first, first + 1);
  }

  /** Returns a condition that is true if every queue is visible. */
  static String seesAll(int first) {
    return "(cast(?%2$d as boolean) and cast(?%1$d as text[]) = '{}')".formatted(first, first + 1);
  }

  /**
   * Returns a condition that is true for the id of a job that may be shown, because the job is not
   * stored in a hidden queue. If every queue is visible, the job is not looked up.
   */
  static String shows(String job, int first) {
    return "(%s or not %s)".formatted(seesAll(first), hides(job, first));
  }

  /** Returns a condition that is true for the id of a job that is stored in a hidden queue. */
  static String hides(String job, int first) {
    return """
        exists (select 1 from readpast_job sj where sj.id = %1$s and not (%2$s)
          union all select 1 from readpast_job_history sh where sh.id = %1$s and not (%3$s))"""
        .formatted(job, sees("sj.queue", first), sees("sh.queue", first));
  }
}
