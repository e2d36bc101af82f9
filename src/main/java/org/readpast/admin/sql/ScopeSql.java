package org.readpast.admin.sql;

/**
 * What limits a statement to the queues that its caller sees. Each takes two parameters: names of
 * queues (text[]), and whether these are the hidden ones (true) or the only ones seen (false).
 */
final class ScopeSql {
  private ScopeSql() {}

  /**
   * True for a queue that is seen.
   *
   * @param queue the column
   * @param first the number of the first of the two parameters
   */
  static String sees(String queue, int first) {
    return "(%s = any(cast(?%d as text[]))) <> cast(?%d as boolean)"
        .formatted(queue, first, first + 1);
  }

  /** True where every queue is seen. */
  static String seesAll(int first) {
    return "(cast(?%2$d as boolean) and cast(?%1$d as text[]) = '{}')".formatted(first, first + 1);
  }

  /**
   * True for the id of a job that may be shown: it is not stored in a queue that is hidden. No job
   * is looked up for a caller that sees every queue.
   */
  static String shows(String job, int first) {
    return "(%s or not %s)".formatted(seesAll(first), hides(job, first));
  }

  /** True for the id of a job that is stored, in a queue that is hidden. */
  static String hides(String job, int first) {
    return """
        exists (select 1 from readpast_job sj where sj.id = %1$s and not (%2$s)
          union all select 1 from readpast_job_history sh where sh.id = %1$s and not (%3$s))"""
        .formatted(job, sees("sj.queue", first), sees("sh.queue", first));
  }
}
