package org.readpast.benchmark;

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Another queue, at what its documentation calls best, under the load that Readpast gets. Jobs do
 * nothing, carry {@link #PAYLOAD} and are numbered from 0; a measure that a peer cannot take is
 * NaN.
 */
interface Peer extends AutoCloseable {
  /** About 100 bytes of JSON. */
  String PAYLOAD =
      "{\"customer\":\"4711\",\"order\":\"2024-000815\",\"kind\":\"confirmation\","
          + "\"locale\":\"de-DE\",\"copies\":1,\"urgent\":false}";

  /** From enqueue to the start of the handler, in milliseconds. */
  record Latency(double p50, double p99) {}

  String name();

  /** Enqueues one job in a transaction of its own; any thread may. */
  void enqueue(int number) throws Exception;

  /** Enqueues so many jobs in the fastest way that the peer offers. */
  void enqueueAll(int jobs) throws Exception;

  /** Starts the workers; the handler is told each job's number. */
  void start(IntConsumer handler) throws Exception;

  /** Stops the workers; they can be started again. */
  void stop() throws Exception;

  /** Removes all jobs, done or not; called while the workers are stopped. */
  void clear() throws Exception;

  /** Jobs per second done, of so many that waited before the workers started. */
  default double drain(int jobs) throws Exception {
    clear();
    enqueueAll(jobs);
    var starts = new Load.Starts(jobs);
    start(starts);
    starts.await();
    stop();
    return starts.perSecond();
  }

  /** Jobs per second enqueued one by one. */
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

  /** Jobs per second enqueued by one thread at once. */
  default double enqueueInBulk(int jobs) throws Exception {
    clear();
    var start = System.nanoTime();
    enqueueAll(jobs);
    return jobs * 1e9 / (System.nanoTime() - start);
  }

  /** How long jobs wait for idle workers of the same JVM. */
  default Latency latency(int perSecond, int seconds) throws Exception {
    clear();
    var starts = new Load.Starts(Load.jobs(perSecond, seconds));
    start(starts);
    var latency = Load.latency(perSecond, seconds, this::enqueue, starts);
    stop();
    return latency;
  }
}
