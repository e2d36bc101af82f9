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
import org.readpast.engine.LeasedModePredicate;
import org.readpast.model.Owner;

/**
 * Describes a handler that CDI has found.
 *
 * @param payload the class of the payload, or null if the method takes no payload
 * @param versions the names and versions of the job type that the handler reads; a default name
 *     lacks its owner until {@link #ownedBy} adds it
 * @param method the method, or null if the bean is a {@link JobHandler}
 * @param background the annotation, or null if jobs of this type are not enqueued by calling the
 *     method
 * @param roles a caller needs one of these roles to enqueue jobs of this type; empty if every
 *     caller may enqueue them
 * @param place the name of the handler in messages
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

  /** Returns the handler with the complete name of its job type. */
  FoundHandler ownedBy(Owner owner) {
    return new FoundHandler(
        bean, payload, versions.ownedBy(owner), method, receive, retries, background, roles, place);
  }

  /** Returns the name of the job type. */
  String type() {
    return versions.name();
  }

  /** Returns the shape of the payloads that the handler takes, or null if it takes any payload. */
  @Nullable String shape() {
    return background != null && method != null
        ? PayloadShape.ofArguments(method)
        : PayloadShape.of(payload);
  }

  boolean hasLeasedModePredicate() {
    return method == null
        && bean.getTypes().stream()
            .anyMatch(t -> HandlerBean.rawType(t) == LeasedModePredicate.class);
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
