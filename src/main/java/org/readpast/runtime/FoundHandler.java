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
import org.readpast.model.Owner;

/**
 * A handler that CDI has found.
 *
 * @param payload null: the method takes none
 * @param versions names and versions of the job type that it reads; a default name lacks its owner
 *     until {@link #ownedBy}
 * @param method null: the bean is a {@link JobHandler}
 * @param background null: jobs of its type are enqueued by name or payload, not by calling it
 * @param roles that its jobs demand of who enqueues them; none: anybody may
 * @param place what to call it in messages
 */
record FoundHandler(
    Bean<?> bean,
    @Nullable Class<?> payload,
    TypeVersions versions,
    @Nullable Method method,
    @Nullable Receive receive,
    @Nullable Retries retries,
    @Nullable Background background,
    Set<String> roles,
    String place) {

  /** Returns it with the complete name of its type. */
  FoundHandler ownedBy(Owner owner) {
    return new FoundHandler(
        bean, payload, versions.ownedBy(owner), method, receive, retries, background, roles, place);
  }

  /** The name of its job type. */
  String type() {
    return versions.name();
  }

  /** Of the payloads that it takes; null: any. */
  @Nullable String shape() {
    return background != null && method != null
        ? PayloadShape.ofArguments(method)
        : PayloadShape.of(payload);
  }

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
