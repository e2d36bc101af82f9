package org.readpast.runtime;

import jakarta.enterprise.inject.spi.Bean;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Background;
import org.readpast.api.JobHandler;
import org.readpast.api.Receive;
import org.readpast.api.Retries;
import org.readpast.engine.PicksReceiveMode;

/**
 * A handler that CDI has found.
 *
 * @param payload null: the method takes none
 * @param method null: the bean is a {@link JobHandler}
 * @param background null: jobs of its type are enqueued by name or payload, not by calling it
 * @param roles that its jobs demand of who enqueues them; none: anybody may
 * @param place what to call it in messages
 */
record FoundHandler(
    Bean<?> bean,
    @Nullable Class<?> payload,
    String type,
    @Nullable Method method,
    @Nullable Receive receive,
    @Nullable Retries retries,
    @Nullable Background background,
    Set<String> roles,
    String place) {

  boolean picksMode() {
    return method == null
        && bean.getTypes().stream().anyMatch(t -> HandlerBean.rawType(t) == PicksReceiveMode.class);
  }

  /**
   * Whether this is what a call of a {@link Background} method on this class of bean stands for.
   */
  boolean isBackground(Class<?> beanClass, Method called) {
    return background != null
        && bean.getBeanClass() == beanClass
        && method != null
        && method.getName().equals(called.getName())
        && Arrays.equals(method.getParameterTypes(), called.getParameterTypes());
  }
}
