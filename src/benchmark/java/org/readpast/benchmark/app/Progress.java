package org.readpast.benchmark.app;

import jakarta.enterprise.context.ApplicationScoped;

/** What the handlers have done since the last {@link #reset}. */
@ApplicationScoped
public class Progress {
  private volatile Tally tally = new Tally(0, 0);
  private volatile long pauseMillis;

  /**
   * Takes note of a job, and lets it take as long as jobs are to take.
   *
   * @param sentAt nanoseconds since the epoch at the enqueue; zero: not measured
   */
  void done(long job, long sentAt) throws InterruptedException {
    tally.done(job, sentAt);
    if (pauseMillis > 0) {
      Thread.sleep(pauseMillis);
    }
  }

  /** Lets each job take this long from now on; zero: no time. */
  void pause(long millis) {
    pauseMillis = millis;
  }

  /** mark: the job by which it is to be known when it was handled; ids: how many to keep. */
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
