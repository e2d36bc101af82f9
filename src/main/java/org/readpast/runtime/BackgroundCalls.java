package org.readpast.runtime;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobResult;
import org.readpast.api.ReadpastException;
import org.readpast.engine.Enqueuer;

/**
 * Distinguishes calls of {@link org.readpast.api.Background} methods that are to be enqueued from
 * calls by which the worker runs a job.
 */
@ApplicationScoped
public class BackgroundCalls {
  @Inject HandlerExtension extension;
  @Inject JobPreparer preparer;
  @Inject Enqueuer enqueuer;
  // The job type whose method is about to be called on this thread by a worker.
  private final ThreadLocal<@Nullable String> working = new ThreadLocal<>();
  private final Map<Called, FoundHandler> known = new ConcurrentHashMap<>();

  /**
   * Identifies a method as its container does: the class is often a proxy or subclass that the
   * container generated.
   */
  private record Called(Class<?> target, Method method) {}

  /**
   * Enqueues a call and returns true, unless the worker made the call. If the worker made the call,
   * enqueues nothing and returns false.
   */
  boolean enqueued(Class<?> target, Method method, @Nullable Object[] arguments) {
    FoundHandler found = known.computeIfAbsent(new Called(target, method), this::find);
    if (found.type().equals(working.get())) {
      // If the method calls itself through its proxy, that call is enqueued like any other.
      working.remove();
      return false;
    }
    enqueuer.enqueue(List.of(preparer.prepare(found, arguments)));
    return true;
  }

  /** Runs a job: the next call of this method on this thread executes the method itself. */
  JobResult work(FoundHandler found, Callable<JobResult> call) throws Exception {
    working.set(found.type());
    try {
      return call.call();
    } finally {
      working.remove();
    }
  }

  private FoundHandler find(Called called) {
    for (Class<?> c = called.target(); c != null; c = c.getSuperclass()) {
      for (FoundHandler handler : extension.handlers()) {
        if (handler.isBackground(c, called.method())) {
          return handler;
        }
      }
    }
    throw new ReadpastException(
        "@Background method " + called.method() + " of " + called.target() + " was not found");
  }
}
