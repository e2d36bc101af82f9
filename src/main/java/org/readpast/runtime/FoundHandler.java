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
 * Describes a handler that CDI has found.
 *
 * @param payload null if the method takes no payload
 * @param versions the names and versions of the job type that it reads; a default name lacks its
 *     owner until {@link #ownedBy} adds it
 * @param method null if the bean is a {@link JobHandler}
 * @param background null if jobs of its type are enqueued by name or payload, not by calling the
 *     method
 * @param roles a caller needs one of these to enqueue its jobs; empty if every caller may enqueue
 *     them
 * @param place how messages refer to the handler
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

  /** Returns the handler with the complete name of its type. */
  FoundHandler ownedBy(Owner owner) {
    return new FoundHandler(
        bean, payload, versions.ownedBy(owner), method, receive, retries, background, roles, place);
  }

  /** Returns the name of its job type. */
  String type() {
    return versions.name();
  }

  /** Returns the shape of the payloads that it takes, or null if it takes any. */
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
   * Returns true if a call of this {@link Background} method on a bean of this class enqueues a job
   * for this handler.
   */
  boolean isBackground(Class<?> beanClass, Method called) {
    return background != null
        && bean.getBeanClass() == beanClass
        && method != null
        && method.getName().equals(called.getName())
        && Arrays.equals(method.getParameterTypes(), called.getParameterTypes());
  }
}
