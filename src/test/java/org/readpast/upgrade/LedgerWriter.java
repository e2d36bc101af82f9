package org.readpast.upgrade;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.readpast.api.JobContext;

/**
 * Writes to the ledger from an application, in the transaction of the caller. The writer uses no
 * API that an earlier version lacks.
 */
public interface LedgerWriter {
  /** Executes a statement with parameters {@code ?}. */
  void execute(String sql, Object... parameters);

  /** Returns the number that a statement without parameters selects. */
  long number(String sql);

  /** Returns the name of this node. */
  String node();

  /**
   * Promises that a job will end, provided that this transaction commits.
   *
   * @param attempts the number of attempts that the job needs
   * @param group the group of the job, or an empty string
   * @param follows the jobs that must end before this job starts
   * @return the number of the promise
   */
  default long promise(String kind, int attempts, String group, Long... follows) {
    long n = number("select nextval('promise')");
    execute(
        """
        insert into promised (n, kind, producer, attempts, line, follows)
        values (?, ?, ?, ?, nullif(?, ''), cast(string_to_array(?, ',') as bigint[]))""",
        n,
        kind,
        node(),
        attempts,
        group,
        Arrays.stream(follows).map(String::valueOf).collect(Collectors.joining(",")));
    return n;
  }

  /** Records that a handler has run a job. */
  default void worked(String kind, long n, JobContext context) {
    execute(
        "insert into worked (n, kind, job, node) values (?, ?, ?, ?)",
        n,
        kind,
        context.id(),
        node());
  }

  /** Records that a handler has run the job of a schedule. */
  default void ticked(String schedule, JobContext context) {
    execute(
        "insert into worked (kind, job, node, planned) values (?, ?, ?, cast(? as timestamptz))",
        schedule,
        context.id(),
        node(),
        context.properties().get("readpast.planned-at"));
  }
}
