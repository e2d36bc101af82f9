package org.readpast.database;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Combines concurrent submissions into batches. One of the submitting threads executes the batch;
 * submissions that arrive in the meantime form the next batch. The callers of a finished batch
 * usually submit again immediately. The next batch therefore begins when it has as many submissions
 * as recent batches had, or after a limited time. If the callers do not return in time, the
 * combiner waits for them less and less often.
 *
 * @param <T> the type of a submission
 */
public final class Combiner<T> {
  private static final int MOST_WITHOUT_WAIT = 64;

  private final long maxWait;
  private final Consumer<List<T>> work;
  private final Deque<Submission<T>> waiting = new ArrayDeque<>();
  private boolean executing;
  private int expected = 1;
  // The number of batches that still begin without a wait, because the previous wait gained
  // nothing.
  private int withoutWait;
  private int withoutWaitNext = 1;
  private @Nullable Submission<T> gatherer;
  private volatile long gathersUntil;

  /**
   * Creates a combiner for any number of threads.
   *
   * @param maxWait how long a batch that could begin waits for further submissions; zero if callers
   *     do not submit again soon
   */
  public Combiner(Duration maxWait, Consumer<List<T>> work) {
    this.maxWait = maxWait.toNanos();
    this.work = work;
  }

  private static final class Submission<T> {
    private final T value;
    private final Thread thread = Thread.currentThread();
    private volatile boolean done;

    Submission(T value) {
      this.value = value;
    }
  }

  /**
   * Submits work, and returns after it has been executed. Throws an exception only if this thread
   * has executed the batch. An interrupt takes effect afterwards, because other threads may wait
   * for the batch that this thread executes.
   */
  public void submit(T one) {
    Submission<T> mine = new Submission<>(one);
    boolean interrupted = Thread.interrupted();
    try {
      List<Submission<T>> all = take(mine);
      while (all.isEmpty() && !mine.done) {
        await(mine);
        interrupted |= Thread.interrupted();
        all = takeIfTurn(mine);
      }
      if (!all.isEmpty()) {
        work(all);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void await(Submission<T> mine) {
    if (isGatherer(mine)) {
      LockSupport.parkNanos(this, gathersUntil - System.nanoTime());
    } else {
      LockSupport.park(this);
    }
  }

  private synchronized boolean isGatherer(Submission<T> mine) {
    return mine == gatherer;
  }

  private void work(List<Submission<T>> all) {
    try {
      work.accept(all.stream().map(submission -> submission.value).toList());
    } finally {
      done(all);
    }
  }

  private synchronized List<Submission<T>> take(Submission<T> mine) {
    waiting.add(mine);
    return takeIfTurn(mine);
  }

  /**
   * Returns the batch that this thread must execute; empty if another thread executes one or is
   * next.
   */
  private synchronized List<Submission<T>> takeIfTurn(Submission<T> mine) {
    if (executing || !waiting.contains(mine) || gathers(mine)) {
      return List.of();
    }
    if (gatherer == null) {
      withoutWait = Math.max(0, withoutWait - 1);
    } else if (waiting.size() < expected) {
      withoutWait = withoutWaitNext;
      withoutWaitNext = Math.min(MOST_WITHOUT_WAIT, 2 * withoutWaitNext);
    } else {
      withoutWaitNext = 1;
    }
    List<Submission<T>> all = List.copyOf(waiting);
    waiting.clear();
    gatherer = null;
    executing = true;
    return all;
  }

  /**
   * Returns true if the batch waits for further submissions. One thread watches the time; the
   * thread that submits the last expected submission begins the batch.
   */
  private boolean gathers(Submission<T> mine) {
    if (withoutWait > 0 || waiting.size() >= expected) {
      return false;
    }
    if (gatherer == null) {
      gatherer = mine;
      gathersUntil = System.nanoTime() + maxWait;
    }
    return mine != gatherer || gathersUntil - System.nanoTime() > 0;
  }

  private void done(List<Submission<T>> all) {
    Submission<T> next = finishBatch(all.size());
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
    for (Submission<T> submission : all) {
      submission.done = true;
      LockSupport.unpark(submission.thread);
    }
  }

  private synchronized @Nullable Submission<T> finishBatch(int size) {
    expected = size + waiting.size();
    executing = false;
    return waiting.peek();
  }
}
