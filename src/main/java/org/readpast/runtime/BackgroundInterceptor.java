package org.readpast.runtime;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Turns calls of {@link org.readpast.api.Background} methods into jobs. Before all others: a
 * transaction that the method declares is that of its work, not that of the call.
 */
@Interceptor
@Backgrounded
@Priority(Interceptor.Priority.PLATFORM_BEFORE)
public class BackgroundInterceptor implements Serializable {
  private static final long serialVersionUID = 1;

  @Inject BackgroundCalls calls;

  /** Enqueues, unless the caller is the worker. */
  @AroundInvoke
  public @Nullable Object call(InvocationContext invocation) throws Exception {
    if (calls.enqueued(
        invocation.getTarget().getClass(), invocation.getMethod(), invocation.getParameters())) {
      return null;
    }
    return invocation.proceed();
  }
}
