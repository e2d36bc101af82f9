package org.readpast.benchmark;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Represents a queue other than Readpast, with the settings that its documentation recommends,
 * under the same load as Readpast. The jobs do nothing, have the payload {@link #PAYLOAD}, and are
 * numbered from 0. A measure that a peer does not support is NaN.
 */
interface Peer extends AutoCloseable {
  /** Contains about 100 bytes of JSON. */
  String PAYLOAD =
      "{\"customer\":\"4711\",\"order\":\"2024-000815\",\"kind\":\"confirmation\","
          + "\"locale\":\"de-DE\",\"copies\":1,\"urgent\":false}";

  /**
   * Holds percentiles of the delay from the enqueue to the start of the handler, in milliseconds.
   */
  record Latency(double p50, double p99) {}

  String name();

  /** Enqueues one job in a separate transaction, from any thread. */
  void enqueue(int number) throws Exception;

  /** Enqueues the given number of jobs in the fastest way that the peer offers. */
  void enqueueAll(int jobs) throws Exception;

  /** Starts the workers. The handler receives the number of each job. */
  void start(IntConsumer handler) throws Exception;

  /** Stops the workers, which can be started again. */
  void stop() throws Exception;

  /** Removes all jobs, whether they have run or not, while the workers are stopped. */
  void clear() throws Exception;

  /**
   * Returns the number of jobs per second if the given number of jobs waited before the workers
   * started.
   */
  default double drain(int jobs) throws Exception {
    clear();
    enqueueAll(jobs);
    var starts = new Load.Starts(jobs);
    start(starts);
    starts.await();
    stop();
    return starts.perSecond();
  }

  /** Returns the number of jobs per second if jobs are enqueued one by one. */
  default double enqueueSingly(int threads, int jobs) throws Exception {
    clear();
    var next = new AtomicInteger();
    Callable<Void> worker =
        () -> {
          for (int number; (number = next.getAndIncrement()) < jobs; ) {
            enqueue(number);
          }
          return null;
        };
    return Load.perSecond(jobs, Collections.nCopies(threads, worker));
  }

  /** Returns the number of jobs per second if one thread enqueues jobs in bulk. */
  default double enqueueInBulk(int jobs) throws Exception {
    clear();
    var start = System.nanoTime();
    enqueueAll(jobs);
    return jobs * 1e9 / (System.nanoTime() - start);
  }

  /** Returns the delay until idle workers in the same JVM start the jobs. */
  default Latency latency(int perSecond, int seconds) throws Exception {
    clear();
    var starts = new Load.Starts(Load.jobs(perSecond, seconds));
    start(starts);
    var latency = Load.latency(perSecond, seconds, this::enqueue, starts);
    stop();
    return latency;
  }
}
