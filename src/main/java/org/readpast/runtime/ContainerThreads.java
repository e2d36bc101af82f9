package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import org.readpast.engine.Threads;

/**
 * The server's default executors. They are looked up rather than defined, because a definition inside a library jar is
 * ignored by Payara, and because Liberty interrupts the tasks of a defined one before the engine has drained.
 */
@ApplicationScoped
public class ContainerThreads implements Threads {
  @Resource(lookup = "java:comp/DefaultManagedExecutorService")
  ManagedExecutorService executor;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  ManagedScheduledExecutorService scheduler;

  @Override
  public void start(Runnable task) {
    executor.execute(task);
  }

  /** Runs a step again and again until the future that it gives is cancelled. */
  java.util.concurrent.Future<?> every(long millis, Runnable step) {
    return scheduler.scheduleWithFixedDelay(step, millis, millis, TimeUnit.MILLISECONDS);
  }
}
