package org.readpast.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;

/**
 * Handles jobs with calls that return only when the test releases them. The handler counts its
 * concurrent calls.
 */
public final class GatedWork {
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);
  private final List<String> started = new CopyOnWriteArrayList<>();

  /** Handles a job; this method is registered as a handler. */
  public JobResult work(String payload, JobContext context) throws InterruptedException {
    started.add(payload);
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      if (!mayEnd.tryAcquire(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("no call was allowed to return");
      }
      return JobResult.done();
    } finally {
      running.decrementAndGet();
    }
  }

  /** Releases the given number of calls. */
  public void release(int calls) {
    mayEnd.release(calls);
  }

  /** Returns the number of running calls. */
  public int running() {
    return running.get();
  }

  /** Returns the highest number of concurrent calls since the last call of this method. */
  public int takeMost() {
    return most.getAndSet(running.get());
  }

  /** Returns the payloads of all calls, in the order in which they started. */
  public List<String> started() {
    return started;
  }

  public void awaitRunning(int calls, Duration limit) {
    Await.until(limit, calls + " calls run", () -> running.get() == calls);
  }
}
