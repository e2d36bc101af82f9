package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the callers on this node, and the other nodes, that wait for jobs to end. Signals only
 * shorten the wait, because callers also poll from time to time.
 */
public final class EndSignals {
  /**
   * A request to other nodes is valid for this time; callers that still wait repeat it before the
   * time has passed.
   */
  public static final Duration REQUEST_LIFETIME = Duration.ofMinutes(1);

  private final Map<Long, Waiters> here = new ConcurrentHashMap<>();
  private final Map<Long, Long> elsewhere = new ConcurrentHashMap<>();
  private final Consumer<Long> notifyNodes;
  private final Consumer<Long> requestSignal;
  // Expired requests are removed only occasionally, because the removal reads all requests.
  private long forgetAt = System.nanoTime();

  /**
   * @param notifyNodes notifies other nodes that a job has ended
   * @param requestSignal asks other nodes to notify this one when a job ends
   */
  EndSignals(Consumer<Long> notifyNodes, Consumer<Long> requestSignal) {
    this.notifyNodes = notifyNodes;
    this.requestSignal = requestSignal;
  }

  /**
   * Asks other nodes to notify this one when a job ends. The request must be repeated while a
   * caller waits.
   */
  public void requestSignal(long job) {
    requestSignal.accept(job);
  }

  /** Represents the callers that wait for one job. */
  public static final class Waiters {
    private int callers;
    private long signals;

    /** Returns the number of signals that have arrived so far. */
    public synchronized long signals() {
      return signals;
    }

    /**
     * Waits until more than {@code seen} signals have arrived, at most for the given number of
     * milliseconds.
     */
    public synchronized void await(long seen, long millis) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (signals == seen) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return;
        }
        wait(left);
      }
    }

    private synchronized void signal() {
      signals++;
      notifyAll();
    }
  }

  /** Registers another caller that waits for a job. */
  public Waiters enter(long job) {
    return here.compute(
        job,
        (id, before) -> {
          Waiters waiters = before == null ? new Waiters() : before;
          waiters.callers++;
          return waiters;
        });
  }

  /** Unregisters a caller that waited for a job. */
  public void leave(long job) {
    here.computeIfPresent(job, EndSignals::withoutOne);
  }

  private static @Nullable Waiters withoutOne(Long job, Waiters waiters) {
    waiters.callers--;
    return waiters.callers == 0 ? null : waiters;
  }

  /**
   * Records that another node waits for a job to end. This method is called only on the listener's
   * thread.
   */
  void requestedElsewhere(long job) {
    long now = System.nanoTime();
    if (now - forgetAt >= 0) {
      elsewhere.values().removeIf(until -> until - now < 0);
      forgetAt = now + REQUEST_LIFETIME.toNanos();
    }
    elsewhere.put(job, now + REQUEST_LIFETIME.toNanos());
  }

  /** Signals that jobs have ended on this node; call it after the commit. */
  void jobsEnded(Collection<Long> jobs) {
    if (here.isEmpty() && elsewhere.isEmpty()) {
      return;
    }
    for (Long job : jobs) {
      signal(job);
      if (elsewhere.remove(job) != null) {
        notifyNodes.accept(job);
      }
    }
  }

  /** Signals that a job has ended on some node. */
  void signal(long job) {
    Waiters waiters = here.get(job);
    if (waiters != null) {
      waiters.signal();
    }
  }
}
