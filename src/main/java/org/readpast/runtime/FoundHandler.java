package org.readpast.runtime;

import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Objects;
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

  /** Calls the handler on an instance of its bean's own scope. */
  JobResult call(BeanManager beans, @Nullable Object job, JobContext context) throws Exception {
    CreationalContext<?> creation = beans.createCreationalContext(bean);
    try {
      return method == null
          ? this.<JobHandler<Object>>reference(beans, creation, JobHandler.class)
              .handle(Objects.requireNonNull(job), context)
          : invoke(beans, creation, method, job, context);
    } finally {
      creation.release();
    }
  }

  boolean picksMode() {
    return method == null
        && bean.getTypes().stream().anyMatch(t -> rawType(t) == PicksReceiveMode.class);
  }

  boolean leased(BeanManager beans, Object job) {
    CreationalContext<?> creation = beans.createCreationalContext(bean);
    try {
      return this.<PicksReceiveMode<Object>>reference(beans, creation, PicksReceiveMode.class)
          .leased(job);
    } finally {
      creation.release();
    }
  }

  /** The bean, seen as the type of its own that has this raw type. */
  @SuppressWarnings("unchecked") // The extension has found that the handler takes this payload.
  private <T> T reference(BeanManager beans, CreationalContext<?> creation, Class<?> raw) {
    Type type = bean.getTypes().stream().filter(t -> rawType(t) == raw).findFirst().orElse(raw);
    return (T) beans.getReference(bean, type, creation);
  }

  private JobResult invoke(
      BeanManager beans,
      CreationalContext<?> creation,
      Method handles,
      @Nullable Object job,
      JobContext context)
      throws Exception {
    Object target = beans.getReference(bean, handles.getDeclaringClass(), creation);
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

  static @Nullable Class<?> rawType(Type type) {
    if (type instanceof Class<?> c) {
      return c;
    }
    return type instanceof java.lang.reflect.ParameterizedType p ? (Class<?>) p.getRawType() : null;
  }
}
