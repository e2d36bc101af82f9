package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;

/** The jobs that the handlers have processed since the last {@link #reset}. */
@ApplicationScoped
public class Progress {
  private volatile Tally tally = new Tally(0, 0);
  private volatile long pauseMillis;

  /**
   * Records a job, and waits for the configured duration of jobs.
   *
   * @param sentAt nanoseconds since the epoch at the enqueue; zero: not measured
   */
  void done(long job, long sentAt) throws InterruptedException {
    tally.done(job, sentAt);
    if (pauseMillis > 0) {
      Thread.sleep(pauseMillis);
    }
  }

  /** Makes each job take this long from now on; zero: no time. */
  void pause(long millis) {
    pauseMillis = millis;
  }

  /**
   * Resets the counts. The argument mark is the number of the job whose time is recorded, ids the
   * number of ids to keep.
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
