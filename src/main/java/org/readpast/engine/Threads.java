package org.readpast.engine;

/** The container's threads. */
public interface Threads {
  /**
   * Runs a task on a thread of the container, soon.
   *
   * @throws java.util.concurrent.RejectedExecutionException when it takes no more
   */
  void start(Runnable task);
}
