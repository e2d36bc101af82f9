package org.readpast.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What several threads want done at the same time, done by some of them: whatever comes while these
 * are at it waits, and is done together next.
 *
 * @param <T> what is handed in
 */
final class Together<T> {
  private final int atOnce;
  private final Consumer<List<T>> work;
  private final Deque<Wanted<T>> waiting = new ArrayDeque<>();
  private int underWay;

  /**
   * For any number of threads.
   *
   * @param atOnce how many may be at it
   */
  Together(int atOnce, Consumer<List<T>> work) {
    this.atOnce = atOnce;
    this.work = work;
  }

  private static final class Wanted<T> {
    private final T what;
    private final Thread thread = Thread.currentThread();
    private volatile boolean done;

    Wanted(T what) {
      this.what = what;
    }
  }

  /**
   * Returns when it has been done; throws only where this thread has done it. An interrupt is felt
   * afterwards: others may wait for what this thread does.
   */
  void hand(T one) {
    Wanted<T> mine = new Wanted<>(one);
    boolean interrupted = Thread.interrupted();
    try {
      List<Wanted<T>> all = take(mine);
      while (all.isEmpty() && !mine.done) {
        LockSupport.park(this);
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

  private void work(List<Wanted<T>> all) {
    try {
      work.accept(all.stream().map(wanted -> wanted.what).toList());
    } finally {
      done(all);
    }
  }

  private synchronized List<Wanted<T>> take(Wanted<T> mine) {
    waiting.add(mine);
    return takeIfTurn(mine);
  }

  /** Gives what this thread is to do; nothing while it is not its turn, or another does it. */
  private synchronized List<Wanted<T>> takeIfTurn(Wanted<T> mine) {
    if (underWay == atOnce || !waiting.contains(mine)) {
      return List.of();
    }
    List<Wanted<T>> all = List.copyOf(waiting);
    waiting.clear();
    underWay++;
    return all;
  }

  private void done(List<Wanted<T>> all) {
    Wanted<T> next = left();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
    for (Wanted<T> wanted : all) {
      wanted.done = true;
      LockSupport.unpark(wanted.thread);
    }
  }

  private synchronized @Nullable Wanted<T> left() {
    underWay--;
    return waiting.peek();
  }
}
