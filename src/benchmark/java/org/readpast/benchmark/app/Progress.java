package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;

/** Tracks the jobs that the handlers have processed since the last {@link #reset}. */
@ApplicationScoped
public class Progress {
  private volatile Tally tally = new Tally(0, 0);
  private volatile long pauseMillis;

  /**
   * Records a job, and waits for as long as jobs are configured to take.
   *
   * @param sentAt the time of the enqueue in nanoseconds since the epoch, or zero if it is not
   *     measured
   */
  void done(long job, long sentAt) throws InterruptedException {
    tally.done(job, sentAt);
    if (pauseMillis > 0) {
      Thread.sleep(pauseMillis);
    }
  }

  /** Makes each following job take the given time; zero for no time. */
  void pause(long millis) {
    pauseMillis = millis;
  }

  /**
   * Resets the counts. The argument mark is the number of the job whose time is recorded, and ids
   * is the number of ids to keep.
   */
  void reset(int mark, int ids) {
    tally = new Tally(mark, ids);
  }

  Tally tally() {
    return tally;
  }

  static long now() {
    var now = java.time.Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }
}
