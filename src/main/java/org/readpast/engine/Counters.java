package org.readpast.engine;

import java.util.concurrent.atomic.LongAdder;

/** What this engine has done since it started. */
public final class Counters {
  final LongAdder received = new LongAdder();
  final LongAdder completed = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder wakeUps = new LongAdder();
  final LongAdder emptyReceives = new LongAdder();

  /** Jobs received for an attempt. */
  public long received() {
    return received.sum();
  }

  /** Attempts that ended well. */
  public long completed() {
    return completed.sum();
  }

  /** Attempts that did not. */
  public long failed() {
    return failed.sum();
  }

  /** Times a queue was looked at because something woke it. */
  public long wakeUps() {
    return wakeUps.sum();
  }

  /** Looks that found nothing. */
  public long emptyReceives() {
    return emptyReceives.sum();
  }
}
