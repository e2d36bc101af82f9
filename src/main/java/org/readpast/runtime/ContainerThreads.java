package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.CompletableFuture;
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
   * Takes the context of the application itself, which all tasks are to have. That of an EJB would
   * not do: on its threads Payara runs what is {@code @Transactional} outside of its transaction.
   */
  void takeContext(@Observes @Initialized(ApplicationScoped.class) Object event) {
    context = contexts.currentContextExecutor();
  }

  boolean haveContext() {
    return context != null;
  }

  @Override
  public void start(Runnable task) {
    inContext(() -> executor.execute(task));
  }

  /** Runs a step again and again until the future that it gives is cancelled. */
  Future<?> every(long millis, Runnable step) {
    var future = new CompletableFuture<Future<?>>();
    inContext(
        () ->
            future.complete(
                scheduler.scheduleWithFixedDelay(step, millis, millis, TimeUnit.MILLISECONDS)));
    return future.join();
  }

  /**
   * Submits from within the taken context, so that each task gets a copy of its own: tasks that ran
   * in the taken one itself would share a component invocation on Payara, and with it connections.
   */
  private synchronized void inContext(Runnable submission) {
    Executor taken = context;
    if (taken == null) {
      throw new IllegalStateException("a task was started before the application was up");
    }
    taken.execute(submission);
  }
}
