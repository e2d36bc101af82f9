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
 * Runs tasks on the server's default executors. The executors are looked up rather than defined,
 * because Payara ignores a definition inside a library jar, and because Liberty interrupts the
 * tasks of a defined executor before the engine has drained.
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
   * Captures the thread context for a module that is not a web application, or whose web.xml
   * excludes libraries.
   */
  void takeEarlyContext(@Observes @Initialized(ApplicationScoped.class) Object event) {
    earlyUntil = System.nanoTime() + LISTENER_PATIENCE.toNanos();
    early = contexts.currentContextExecutor();
  }

  /**
   * Captures the thread context of the application itself, in which all tasks run; {@link
   * TaskContext} calls this method. The context of an EJB is not suitable, because on its threads
   * Payara runs {@code @Transactional} methods outside their transaction. The context of any other
   * component is not suitable either, because Payara retains the component, and with it the class
   * loader, for each thread that has used a data source in that context.
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
   * Submits a task. At each submission, Payara searches the class path of the thread's class loader
   * for providers of thread context, which took a seventh of its time under load. During the
   * submission, the thread therefore has a class loader that is fast to search, and the task sets
   * the application's class loader again; the server removes it afterwards.
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
   * Submits a task so that no class of the application is on the stack. A new thread retains the
   * class loaders of the code on the stack for its whole life. Payara's pool creates a thread for
   * each of the first 128 tasks and never ends these threads, so each redeployment would leak a
   * class loader.
   */
  @SuppressWarnings("removal")
  private void executeUnseen(Runnable task) {
    PrivilegedAction<?> submission =
        MethodHandleProxies.asInterfaceInstance(
            PrivilegedAction.class, MethodHandles.insertArguments(EXECUTE, 0, executor, task));
    Subject.doAsPrivileged(null, submission, null);
  }

  /**
   * Runs a step repeatedly until the returned future is cancelled.
   *
   * @param millis returns the delay before the next run; called before each run
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
   * Submits a task from within the captured context, so that each task gets its own copy of the
   * context. Tasks that run in the captured context itself would share a component invocation on
   * Payara, and with it connections.
   */
  private synchronized void inContext(Runnable submission) {
    Executor taken = context;
    if (taken == null) {
      throw new IllegalStateException("a task was started before the application was up");
    }
    taken.execute(submission);
  }
}
