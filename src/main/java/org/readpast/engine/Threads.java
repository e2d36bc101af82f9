package org.readpast.engine;

import java.util.concurrent.RejectedExecutionException;

/** The container's threads. */
public interface Threads {
  /**
   * How long a task that has nothing more to do waits before it ends: to start another takes longer
   * than to go on with this one, and where a few come each second the next comes sooner.
   */
  long LINGER_NANOS = 50_000_000L;

  /**
   * Runs a task on a thread of the container, soon.
   *
   * @throws RejectedExecutionException when it takes no more
   */
  void start(Runnable task);

  /**
   * The same for what is tried again by whoever wants it next.
   *
   * @return false when it cannot be run now: the application is not up yet or goes down, or there
   *     is no thread to be had
   */
  default boolean tryStart(Runnable task) {
    try {
      start(task);
      return true;
    } catch (IllegalStateException | RejectedExecutionException e) {
      return false;
    } catch (RuntimeException | Error e) {
      EngineLog.warn(
          System.getLogger(Threads.class.getName()),
          "READPAST-0081 no thread could be started; it is tried again",
          e);
      return false;
    }
  }
}
