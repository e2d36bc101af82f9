package org.readpast.upgrade;

import org.readpast.api.JobContext;
import org.readpast.api.JobType;

/**
 * Contains jobs that have the same form in both versions of the application, and what their
 * handlers do.
 */
public final class CommonJobs {
  public static final String QUEUE = "upgrade";
  public static final String LIMITED_QUEUE = "upgrade.limited";

  private static final long LIMITED_MILLIS = 20;

  private CommonJobs() {}

  /** The handler writes its row in the transaction that also ends the job. */
  @JobType(value = "upgrade.note", queue = QUEUE)
  public record Note(long n) {}

  /** The handler fails in its first attempt. */
  @JobType(value = "upgrade.again", queue = QUEUE)
  public record Again(long n) {}

  /** The job is LEASED, so its row is committed before it ends. */
  @JobType(value = "upgrade.call", queue = QUEUE)
  public record Call(long n) {}

  /**
   * The job is LEASED, in a queue with a limit across all nodes, which the versions set
   * differently.
   */
  @JobType(value = "upgrade.limited", queue = LIMITED_QUEUE)
  public record Limited(long n) {}

  public static void again(LedgerWriter ledger, Again job, JobContext context) {
    ledger.worked("again", job.n(), context);
    if (context.attempt() == 1) {
      throw new IllegalStateException("the first attempt of " + job.n() + " fails");
    }
  }

  public static void limited(LedgerWriter ledger, Limited job, JobContext context)
      throws InterruptedException {
    ledger.worked("limited", job.n(), context);
    Thread.sleep(LIMITED_MILLIS);
    ledger.execute("update worked set until = clock_timestamp() where n = ?", job.n());
  }
}
