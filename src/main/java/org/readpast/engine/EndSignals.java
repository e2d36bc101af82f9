package org.readpast.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows who waits for the end of which job: callers on this node, and other nodes that have asked.
 * Signals only shorten the wait; callers also look by themselves now and then.
 */
public final class EndSignals {
  /** Others ask again before this is over. */
  public static final Duration ASKED_FOR = Duration.ofMinutes(1);

  private final Map<Long, Waiters> here = new ConcurrentHashMap<>();
  private final Map<Long, Long> elsewhere = new ConcurrentHashMap<>();
  private final Consumer<Long> tell;
  private final Consumer<Long> ask;
  // Not with each ask: it would read all of the others.
  private long forgetAt = System.nanoTime();

  /**
   * @param tell lets other nodes know that a job has ended
   * @param ask asks them to tell when it does
   */
  EndSignals(Consumer<Long> tell, Consumer<Long> ask) {
    this.tell = tell;
    this.ask = ask;
  }

  /** Asks other nodes to tell when a job ends; to be repeated while a caller waits. */
  public void ask(long job) {
    ask.accept(job);
  }

  /** Callers that wait for one job. */
  public static final class Waiters {
    private int callers;
    private long signals;

    /** How many signals there were. */
    public synchronized long signals() {
      return signals;
    }

    /** Waits for one more than were seen, but no longer than so many ms. */
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

  /** One more caller waits for a job. */
  public Waiters enter(long job) {
    return here.compute(
        job,
        (id, before) -> {
          Waiters waiters = before == null ? new Waiters() : before;
          waiters.callers++;
          return waiters;
        });
  }

  /** That caller waits no longer. */
  public void leave(long job) {
    here.computeIfPresent(job, EndSignals::withoutOne);
  }

  private static @Nullable Waiters withoutOne(Long job, Waiters waiters) {
    waiters.callers--;
    return waiters.callers == 0 ? null : waiters;
  }

  /** Another node wants to know when a job ends; for the listener's thread. */
  void wanted(long job) {
    long now = System.nanoTime();
    if (now - forgetAt >= 0) {
      elsewhere.values().removeIf(until -> until - now < 0);
      forgetAt = now + ASKED_FOR.toNanos();
    }
    elsewhere.put(job, now + ASKED_FOR.toNanos());
  }

  /** These have ended on this node, and that is committed. */
  void ended(Collection<Long> jobs) {
    if (here.isEmpty() && elsewhere.isEmpty()) {
      return;
    }
    for (Long job : jobs) {
      signal(job);
      if (elsewhere.remove(job) != null) {
        tell.accept(job);
      }
    }
  }

  /** A job has ended somewhere. */
  void signal(long job) {
    Waiters waiters = here.get(job);
    if (waiters != null) {
      waiters.signal();
    }
  }
}
