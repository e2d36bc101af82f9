package org.readpast.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;

/** Starts tasks on the container's threads. */
public interface Threads {
  /**
   * Specifies the time that a task without work waits before it ends. Starting another task takes
   * longer than continuing with this one, and under a steady load new work arrives within this
   * time.
   */
  long LINGER_NANOS = 50_000_000L;

  /**
   * Starts a task on a thread of the container, possibly after a delay.
   *
   * @throws RejectedExecutionException if the container accepts no more tasks
   */
  void start(Runnable task);

  /**
   * Starts a task if possible; otherwise the next caller that needs the task starts it.
   *
   * @return false if the task cannot run now, because the application is starting or shutting down,
   *     or because no thread is available
   */
  default boolean tryStart(Runnable task) {
    try {
      start(task);
      return true;
    } catch (IllegalStateException | RejectedExecutionException e) {
      return false;
    } catch (RuntimeException | Error e) {
      Logger log = System.getLogger(Threads.class.getName());
      log.log(
          Level.WARNING,
          "READPAST-0081 the server could not start a thread; the engine tries again when it"
              + " next needs a thread",
          e);
      return false;
    }
  }
}
