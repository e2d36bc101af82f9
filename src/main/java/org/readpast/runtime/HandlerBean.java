package org.readpast.runtime;

import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobHandler;

/**
 * Provides access to a bean of the application as one of its types, on an instance in the bean's
 * scope.
 */
final class HandlerBean<T> {
  private final BeanManager beans;
  private final Bean<?> bean;
  private final Type type;
  // The proxy of a bean in a shared scope finds the instance at each call.
  private final @Nullable T proxy;

  private HandlerBean(BeanManager beans, Bean<?> bean, Type type) {
    this.beans = beans;
    this.bean = bean;
    this.type = type;
    this.proxy =
        beans.isNormalScope(bean.getScope())
            ? reference(beans.createCreationalContext(bean))
            : null;
  }

  /** Creates an instance for a bean, with the type of the bean that has this raw type. */
  static <T> HandlerBean<T> of(BeanManager beans, Bean<?> bean, Class<?> raw) {
    return new HandlerBean<>(
        beans,
        bean,
        bean.getTypes().stream().filter(t -> rawType(t) == raw).findFirst().orElse(raw));
  }

  /** Uses an instance of the bean. */
  @FunctionalInterface
  interface Use<T, R, X extends Exception> {
    R with(T instance) throws X;
  }

  <R, X extends Exception> R use(Use<T, R, X> use) throws X {
    if (proxy != null) {
      return use.with(proxy);
    }
    CreationalContext<?> creation = beans.createCreationalContext(bean);
    try {
      return use.with(reference(creation));
    } finally {
      creation.release();
    }
  }

  @SuppressWarnings("unchecked") // The caller passes the matching type.
  private T reference(CreationalContext<?> creation) {
    return (T) beans.getReference(bean, type, creation);
  }

  /** Returns the payload class of the most specific JobHandler among the types of a bean. */
  static @Nullable Class<?> payload(Iterable<Type> types) {
    for (Type type : types) {
      if (type instanceof ParameterizedType p && p.getRawType() == JobHandler.class) {
        return rawType(p.getActualTypeArguments()[0]);
      }
    }
    return null;
  }

  static @Nullable Class<?> rawType(Type type) {
    if (type instanceof Class<?> c) {
      return c;
    }
    return type instanceof ParameterizedType p ? (Class<?>) p.getRawType() : null;
  }
}
