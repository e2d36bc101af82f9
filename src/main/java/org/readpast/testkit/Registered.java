package org.readpast.testkit;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.readpast.api.Handles;
import org.readpast.api.JobContext;
import org.readpast.api.JobHandler;
import org.readpast.api.JobResult;
import org.readpast.api.JobType;
import org.readpast.api.ReadpastException;
import org.readpast.api.Receive;
import org.readpast.api.ReceiveMode;
import org.readpast.api.Retries;
import org.readpast.api.Scheduled;
import org.readpast.model.HandlerMethod;
import org.readpast.model.RetryPolicy;
import org.readpast.model.StoredType;
import org.readpast.runtime.JobPreparer;

/**
 * Describes a handler that a test has registered.
 *
 * @param types the names and versions that the handler reads, its own first
 * @param place the name of the handler in messages
 */
record Registered(
    List<StoredType> types,
    Class<?> payload,
    ReceiveMode mode,
    RetryPolicy retries,
    Call call,
    String place) {

  /** Returns the name of the job type. */
  String type() {
    return types.get(0).name();
  }

  /** Calls the handler with the payload of a job. */
  @FunctionalInterface
  interface Call {
    JobResult with(Object payload, JobContext context) throws Exception;
  }

  /**
   * Returns all handlers of an object, which may be a {@link JobHandler}, have {@link Handles}
   * methods, or both.
   */
  static List<Registered> of(Object handler) {
    Class<?> type = handler.getClass();
    List<Registered> found = new ArrayList<>();
    if (handler instanceof JobHandler<?> whole) {
      Class<?> payload = payloadOf(type, Map.of());
      if (payload == null) {
        throw new ReadpastException(
            "handler "
                + type.getName()
                + " does not declare its payload class, as a lambda never does; register"
                + " it with its payload class: handler(SendInvoice.class, …)");
      }
      found.add(of(payload, whole, type));
    }
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Method method : c.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Handles.class)) {
          found.add(of(handler, method));
        }
      }
    }
    if (found.isEmpty()) {
      throw new ReadpastException(
          type.getName()
              + " handles nothing; implement JobHandler, or put @Handles on a method"
              + (isScheduled(type)
                  ? ". Its @Scheduled methods are not called, because the test kit fires"
                      + " no schedules"
                  : ""));
    }
    return found;
  }

  private static boolean isScheduled(Class<?> type) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getAnnotationsByType(Scheduled.class).length > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns a handler for this payload class. */
  @SuppressWarnings("unchecked") // The payload is deserialized to this class.
  static Registered of(Class<?> payload, JobHandler<?> handler, AnnotatedElement annotated) {
    JobHandler<Object> any = (JobHandler<Object>) handler;
    return of(payload, annotated, any::handle, handler.getClass().getName());
  }

  private static Registered of(Object handler, Method method) {
    String place = method.getDeclaringClass().getName() + "." + method.getName();
    Class<?>[] taken = method.getParameterTypes();
    if (Modifier.isStatic(method.getModifiers())
        || Modifier.isPrivate(method.getModifiers())
        || taken.length == 0
        || taken.length > 2
        || (taken.length == 2 && taken[1] != JobContext.class)) {
      throw new ReadpastException(
          "@Handles method "
              + place
              + " does not have the signature of a handler; declare it as method(Payload)"
              + " or method(Payload, JobContext), neither static nor private");
    }
    method.setAccessible(true);
    return of(
        taken[0],
        method,
        (payload, context) -> HandlerMethod.invoke(method, handler, payload, context),
        place);
  }

  private static Registered of(
      Class<?> payload, AnnotatedElement annotated, Call call, String place) {
    boolean asItIs = payload == byte[].class || payload == String.class;
    JobType type = asItIs ? annotated.getAnnotation(JobType.class) : JobPreparer.type(payload);
    if (type == null) {
      throw new ReadpastException(
          "handler "
              + place
              + " takes "
              + payload.getTypeName()
              + ", which has no job type; put @JobType(\"…\") on it");
    }
    Receive receive = annotated.getAnnotation(Receive.class);
    return new Registered(
        JobPreparer.readable(type, asItIs ? null : payload, place),
        payload,
        receive == null ? ReceiveMode.TRANSACTIONAL : receive.value(),
        RetryPolicy.of(annotated.getAnnotation(Retries.class)),
        call,
        place);
  }

  /**
   * Returns the payload class of a JobHandler, even if a superclass declares it, or null if it is
   * not declared.
   */
  private static @Nullable Class<?> payloadOf(Type type, Map<TypeVariable<?>, Type> known) {
    Class<?> raw;
    Map<TypeVariable<?>, Type> bound = new HashMap<>(known);
    if (type instanceof ParameterizedType p) {
      raw = (Class<?>) p.getRawType();
      for (int i = 0; i < raw.getTypeParameters().length; i++) {
        Type argument = p.getActualTypeArguments()[i];
        bound.put(
            raw.getTypeParameters()[i], Objects.requireNonNullElse(known.get(argument), argument));
      }
    } else if (type instanceof Class<?> c) {
      raw = c;
    } else {
      return null;
    }
    if (raw == JobHandler.class) {
      Type argument = bound.get(JobHandler.class.getTypeParameters()[0]);
      return argument instanceof Class<?> c
          ? c
          : argument instanceof ParameterizedType p ? (Class<?>) p.getRawType() : null;
    }
    List<Type> above = new ArrayList<>(List.of(raw.getGenericInterfaces()));
    if (raw.getGenericSuperclass() != null) {
      above.add(raw.getGenericSuperclass());
    }
    for (Type one : above) {
      Class<?> payload = payloadOf(one, bound);
      if (payload != null) {
        return payload;
      }
    }
    return null;
  }
}
