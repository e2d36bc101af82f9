package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Threads;

/**
 * The server's default executors. They are looked up rather than defined, because a definition
 * inside a library jar is ignored by Payara, and because Liberty interrupts the tasks of a defined
 * one before the engine has drained.
 */
@ApplicationScoped
public class ContainerThreads implements Threads {
  @Resource(lookup = "java:comp/DefaultManagedExecutorService")
  ManagedExecutorService executor;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  ManagedScheduledExecutorService scheduler;

  @Resource(lookup = "java:comp/DefaultContextService")
  ContextService contexts;

  private volatile @Nullable Executor context;

  /**
   * Takes the calling thread's context for all that is started later. It must not be that of an
   * EJB, on whose threads Payara runs what is {@code @Transactional} outside of its transaction.
   */
  void takeContext() {
    context = contexts.currentContextExecutor();
  }

  @Override
  public void start(Runnable task) {
    executor.execute(inContext(task));
  }

  /** Runs a step again and again until the future that it gives is cancelled. */
  Future<?> every(long millis, Runnable step) {
    return scheduler.scheduleWithFixedDelay(inContext(step), millis, millis, TimeUnit.MILLISECONDS);
  }

  private Runnable inContext(Runnable task) {
    Executor taken = context;
    return taken == null ? task : () -> taken.execute(task);
  }
}
