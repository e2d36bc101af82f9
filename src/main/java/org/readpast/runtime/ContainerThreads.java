package org.readpast.runtime;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.LastExecution;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ZonedTrigger;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
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
    inContext(() -> execute(task));
  }

  /**
   * At each submission Payara looks for providers of thread context on the class path of the
   * thread's loader, which under load was a seventh of its time. It is shown the loader with the
   * least to search, and the task takes the application's again; the server takes it back.
   */
  private void execute(Runnable task) {
    Thread thread = Thread.currentThread();
    ClassLoader application = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      executor.execute(
          () -> {
            Thread.currentThread().setContextClassLoader(application);
            task.run();
          });
    } finally {
      thread.setContextClassLoader(application);
    }
  }

  /**
   * Runs a step again and again until the future that it gives is cancelled.
   *
   * @param millis how long to wait from one to the next, asked each time
   */
  Future<?> every(LongSupplier millis, Runnable step) {
    var future = new CompletableFuture<Future<?>>();
    inContext(() -> future.complete(scheduler.schedule(step, new Waiting(millis))));
    return future.join();
  }

  private record Waiting(LongSupplier millis) implements ZonedTrigger {
    @Override
    public ZonedDateTime getNextRunTime(@Nullable LastExecution last, ZonedDateTime scheduledAt) {
      return ZonedDateTime.now(ZoneOffset.UTC).plus(Duration.ofMillis(millis.getAsLong()));
    }
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
