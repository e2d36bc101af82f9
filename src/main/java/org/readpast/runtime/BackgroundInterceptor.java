package org.readpast.runtime;

import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Turns calls of {@link org.readpast.api.Background} methods into jobs. The interceptor runs before
 * all others, so that a transaction that the method declares covers the execution of the job and
 * not the call that enqueues it.
 */
@Interceptor
@Backgrounded
@Priority(Interceptor.Priority.PLATFORM_BEFORE)
public class BackgroundInterceptor implements Serializable {
  private static final long serialVersionUID = 1;

  @Inject BackgroundCalls calls;

  /** Enqueues the call, unless the worker made it. */
  @AroundInvoke
  public @Nullable Object call(InvocationContext invocation) throws Exception {
    if (calls.enqueued(
        invocation.getTarget().getClass(), invocation.getMethod(), invocation.getParameters())) {
      return null;
    }
    return invocation.proceed();
  }
}
