package org.readpast.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Puts a queue under load and measures its speed, in the same way for plain SQL and for every peer.
 */
final class Load {
  private Load() {}

  /** Performs the action for the job with the given number. */
  @FunctionalInterface
  interface Step {
    void run(int number) throws Exception;
  }

  /** Returns the number of jobs per second of all workers together, each on a separate thread. */
  static double perSecond(int jobs, List<Callable<Void>> workers) throws Exception {
    var threads = Executors.newFixedThreadPool(workers.size());
    try {
      var start = System.nanoTime();
      for (var worker : threads.invokeAll(workers)) {
        worker.get();
      }
      return jobs * 1e9 / (System.nanoTime() - start);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Returns the number of jobs that a measurement needs. Jobs of the first second are not measured,
   * because they only warm up.
   */
  static int jobs(int perSecond, int seconds) {
    return perSecond * (seconds + 1);
  }

  /** Enqueues at a steady pace, and returns the delays after which the jobs started. */
  static Peer.Latency latency(int perSecond, int seconds, Step enqueue, Starts starts)
      throws Exception {
    var sent = new long[jobs(perSecond, seconds)];
    var begin = System.nanoTime();
    for (int number = 0; number < sent.length; number++) {
      LockSupport.parkNanos(begin + number * 1_000_000_000L / perSecond - System.nanoTime());
      sent[number] = System.nanoTime();
      enqueue.run(number);
    }
    starts.await();
    var waits = new long[sent.length - perSecond];
    Arrays.setAll(waits, i -> starts.nanos.get(perSecond + i) - sent[perSecond + i]);
    return latency(waits);
  }

  /** Returns percentiles of wait times that are given in nanoseconds, in any order. */
  static Peer.Latency latency(long[] waits) {
    Arrays.sort(waits);
    return new Peer.Latency(millis(waits, 0.5), millis(waits, 0.99));
  }

  private static double millis(long[] sorted, double share) {
    return sorted[(int) Math.ceil(sorted.length * share) - 1] / 1e6;
  }

  /** Records the times at which jobs reached the handler. */
  static final class Starts implements IntConsumer {
    private final AtomicLongArray nanos;
    private final CountDownLatch missing;

    Starts(int jobs) {
      nanos = new AtomicLongArray(jobs);
      missing = new CountDownLatch(jobs);
    }

    @Override
    public void accept(int number) {
      // A job that is delivered twice counts once.
      if (nanos.compareAndSet(number, 0, System.nanoTime())) {
        missing.countDown();
      }
    }

    void await() throws InterruptedException {
      if (!missing.await(10, TimeUnit.MINUTES)) {
        throw new IllegalStateException(
            missing.getCount() + " of " + nanos.length() + " jobs did not start in 10 minutes");
      }
    }

    /**
     * Returns the rate from the first to the last job, without the time in which the workers start.
     */
    double perSecond() {
      var first = Long.MAX_VALUE;
      var last = Long.MIN_VALUE;
      for (int i = 0; i < nanos.length(); i++) {
        first = Math.min(first, nanos.get(i));
        last = Math.max(last, nanos.get(i));
      }
      return (nanos.length() - 1) * 1e9 / (last - first);
    }
  }
}
