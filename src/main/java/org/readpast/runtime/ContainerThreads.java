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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;
import org.readpast.engine.Threads;

/**
 * The server's default executors. They are looked up rather than defined, because a definition
 * inside a library jar is ignored by Payara, and because Liberty interrupts the tasks of a defined
 * one before the engine has drained.
 */
@ApplicationScoped
public class ContainerThreads implements Threads {
  private static final Duration LISTENER_PATIENCE = Duration.ofSeconds(15);
  private static final MethodHandle EXECUTE;

  static {
    try {
      EXECUTE =
          MethodHandles.publicLookup()
              .findVirtual(
                  Executor.class, "execute", MethodType.methodType(void.class, Runnable.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Resource(lookup = "java:comp/DefaultManagedExecutorService")
  ManagedExecutorService executor;

  @Resource(lookup = "java:comp/DefaultManagedScheduledExecutorService")
  ManagedScheduledExecutorService scheduler;

  @Resource(lookup = "java:comp/DefaultContextService")
  ContextService contexts;

  private volatile @Nullable Executor context;
  private volatile @Nullable Executor early;
  private volatile long earlyUntil;

  /**
   * Takes a context for a module that is no web application, or whose web.xml excludes libraries.
   */
  void takeEarlyContext(@Observes @Initialized(ApplicationScoped.class) Object event) {
    earlyUntil = System.nanoTime() + LISTENER_PATIENCE.toNanos();
    early = contexts.currentContextExecutor();
  }

  /**
   * Takes the context of the application itself, which all tasks are to have; called by {@link
   * TaskContext}. That of an EJB would not do: on its threads Payara runs what is
   * {@code @Transactional} outside of its transaction. Nor would that of any other component:
   * Payara keeps the component, and with it the class loader, for each thread that used a data
   * source in its context.
   */
  void takeContext() {
    context = contexts.currentContextExecutor();
  }

  boolean haveContext() {
    if (context == null && early != null && System.nanoTime() - earlyUntil > 0) {
      context = early;
    }
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
    Runnable started =
        () -> {
          Thread.currentThread().setContextClassLoader(application);
          task.run();
        };
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      executeUnseen(started);
    } finally {
      thread.setContextClassLoader(application);
    }
  }

  /**
   * Submits a task without any class of the application on the stack, as far as the JDK looks. A
   * new thread keeps, for its life, the class loaders of the code that it finds there, and Payara's
   * pool creates a thread for each of the first 128 tasks and ends none: each redeployment would
   * leave a class loader behind.
   */
  @SuppressWarnings("removal")
  private void executeUnseen(Runnable task) {
    PrivilegedAction<?> submission =
        MethodHandleProxies.asInterfaceInstance(
            PrivilegedAction.class, MethodHandles.insertArguments(EXECUTE, 0, executor, task));
    Subject.doAsPrivileged(null, submission, null);
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
