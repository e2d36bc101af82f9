package org.readpast.runtime;

import jakarta.enterprise.inject.spi.Bean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.engine.PicksReceiveMode;

/**
 * A handler that CDI has found.
 *
 * @param payload null: the method takes none
 * @param method null: the bean is a {@link JobHandler}
 * @param place what to call it in messages
 */
record FoundHandler(
    Bean<?> bean,
    @Nullable Class<?> payload,
    String type,
    @Nullable Method method,
    @Nullable Receive receive,
    @Nullable Retries retries,
    String place) {

  boolean picksMode() {
    return method == null
        && bean.getTypes().stream().anyMatch(t -> HandlerBean.rawType(t) == PicksReceiveMode.class);
  }

  /** Calls a handler that is a method. */
  static JobResult invoke(Method handles, Object target, @Nullable Object job, JobContext context)
      throws Exception {
    try {
      Object result =
          handles.invoke(
              target,
              Arrays.stream(handles.getParameterTypes())
                  .map(taken -> taken == JobContext.class ? context : job)
                  .toArray());
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
