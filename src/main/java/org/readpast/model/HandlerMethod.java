package org.readpast.model;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobResult;

/** Calls a handler method. */
public final class HandlerMethod {
  private HandlerMethod() {}

  /**
   * Calls the method with a payload and a context.
   *
   * @return the result of the method: a {@code JobResult}, or a value that becomes the job's result
   * @throws Exception the exception that the method threw
   */
  public static JobResult invoke(
      Method handles, Object target, @Nullable Object job, JobContext context) throws Exception {
    return invoke(
        handles,
        target,
        Arrays.stream(handles.getParameterTypes())
            .map(taken -> taken == JobContext.class ? context : job)
            .toArray());
  }

  /** Calls the method with its arguments. */
  public static JobResult invoke(Method handles, Object target, @Nullable Object[] arguments)
      throws Exception {
    try {
      Object result = handles.invoke(target, arguments);
      return result == null
          ? JobResult.done()
          : result instanceof JobResult said ? said : JobResult.done(result);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }
}
