package org.readpast.runtime;

import jakarta.json.JsonObject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobType;
import org.readpast.api.Upcasts;
import org.readpast.model.Names;
import org.readpast.model.Owner;
import org.readpast.model.StoredType;

/**
 * Holds the names and versions under which an application reads a job type.
 *
 * @param version the version of the payload that the handler takes
 * @param upcasts the upcast methods by the version that they take, without gaps up to the version
 *     before {@code version}
 */
record TypeVersions(String name, int version, List<String> aliases, Map<Integer, Method> upcasts) {
  private static final ClassValue<TypeVersions> OF_PAYLOADS =
      new ClassValue<>() {
        @Override
        protected TypeVersions computeValue(Class<?> payload) {
          JobType type = payload.getAnnotation(JobType.class);
          return type == null ? only("") : of(type, payload, payload.getName(), new ArrayList<>());
        }
      };

  /** Returns the first version of a name, without aliases and upcasts. */
  static TypeVersions only(String name) {
    return new TypeVersions(name, 1, List.of(), Map.of());
  }

  /**
   * Reads the versions of the type with which a class is annotated, and adds the errors.
   *
   * @param holder the class with the {@link Upcasts} methods, or null if there is none
   * @param place the name of the class in messages
   */
  static TypeVersions of(
      JobType type, @Nullable Class<?> holder, String place, Collection<String> errors) {
    int before = errors.size();
    check(() -> Names.checkExplicitType(type.value()), place, errors);
    check(() -> StoredType.checkVersion(type.version()), place, errors);
    Set<String> aliases = new LinkedHashSet<>();
    for (String alias : type.aliases()) {
      check(() -> Names.checkExplicitType(alias), "alias of " + place, errors);
      if (alias.equals(type.value()) || !aliases.add(alias)) {
        errors.add(place + " names '" + alias + "' twice in @JobType; remove one of them");
      }
    }
    Map<Integer, Method> upcasts = new TreeMap<>();
    if (holder != null) {
      for (Method method : holder.getDeclaredMethods()) {
        if (method.isAnnotationPresent(Upcasts.class)) {
          add(method, type, upcasts, errors);
        }
      }
    }
    // Gaps are checked only if there are no other errors, because each faulty method would also
    // leave a gap.
    if (errors.size() == before) {
      gaps(type, place, upcasts, errors);
    }
    return new TypeVersions(type.value(), type.version(), List.copyOf(aliases), upcasts);
  }

  private static void check(Runnable rule, String place, Collection<String> errors) {
    try {
      rule.run();
    } catch (JobRejectedException e) {
      errors.add(place + ": " + e.getMessage());
    }
  }

  private static void add(
      Method method, JobType type, Map<Integer, Method> upcasts, Collection<String> errors) {
    String place =
        "@Upcasts method " + method.getDeclaringClass().getName() + "." + method.getName();
    Class<?>[] taken = method.getParameterTypes();
    int from = method.getAnnotation(Upcasts.class).from();
    boolean shape =
        Modifier.isStatic(method.getModifiers())
            && taken.length == 1
            && (taken[0] == String.class || taken[0] == JsonObject.class)
            && method.getReturnType() == taken[0];
    if (!shape) {
      errors.add(
          place
              + " does not have the signature of an upcast; declare it as static String"
              + " method(String) or static JsonObject method(JsonObject)");
    } else if (from < 1 || from >= type.version()) {
      errors.add(
          place
              + " takes version "
              + from
              + ", but job type '"
              + type.value()
              + "' has version "
              + type.version()
              + "; specify a lower version, from 1 on");
    } else if (upcasts.putIfAbsent(from, method) != null) {
      errors.add(
          place + " takes version " + from + " as another @Upcasts method does; keep one of them");
    } else {
      method.setAccessible(true);
    }
  }

  private static void gaps(
      JobType type, String place, Map<Integer, Method> upcasts, Collection<String> errors) {
    int first = upcasts.keySet().stream().findFirst().orElse(type.version());
    IntStream.range(first, type.version())
        .filter(version -> !upcasts.containsKey(version))
        .forEach(
            version ->
                errors.add(
                    place
                        + " has @Upcasts methods from version "
                        + first
                        + ", but none from version "
                        + version
                        + "; add it, so that the methods lead to version "
                        + type.version()));
  }

  /** Returns a copy with the complete name of the type. */
  TypeVersions ownedBy(Owner owner) {
    return new TypeVersions(owner.complete(name), version, aliases, upcasts);
  }

  /** Returns the name and its aliases. */
  List<String> names() {
    List<String> all = new ArrayList<>(aliases);
    all.add(0, name);
    return all;
  }

  /** Returns all types that can be read; the type itself is the first. */
  List<StoredType> readable() {
    int oldest = upcasts.keySet().stream().findFirst().orElse(version);
    List<StoredType> all = new ArrayList<>();
    for (String one : names()) {
      for (int v = version; v >= oldest; v--) {
        all.add(new StoredType(one, v));
      }
    }
    return all;
  }

  /**
   * Upcasts a payload to the version of the class to which it is converted, if that class belongs
   * to the job's type.
   *
   * @throws IllegalArgumentException if no upcasts lead from the payload's version to that of the
   *     class
   */
  static String upcast(Json json, StoredType from, String payload, Class<?> as) {
    TypeVersions versions = OF_PAYLOADS.get(as);
    return versions.names().contains(from.name())
        ? versions.upcast(json, from.version(), payload)
        : payload;
  }

  /**
   * Upcasts a payload from the given version to the current version.
   *
   * @throws IllegalArgumentException if the payload cannot be upcast
   */
  String upcast(Json json, int from, String payload) {
    if (from > version) {
      throw new IllegalArgumentException(
          "it has version " + from + ", but the class that reads it here has version " + version);
    }
    String current = payload;
    for (int v = from; v < version; v++) {
      Method method = upcasts.get(v);
      if (method == null) {
        throw new IllegalArgumentException(
            "it has version " + from + ", but no @Upcasts method takes version " + v);
      }
      current = call(json, method, current);
    }
    return current;
  }

  private static String call(Json json, Method method, String payload) {
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
    Object result;
    try {
      Object argument =
          method.getParameterTypes()[0] == String.class ? payload : json.readObject(payload);
      result = method.invoke(null, argument);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "@Upcasts method " + name + " failed: " + e.getCause(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    if (result == null) {
      throw new IllegalArgumentException("@Upcasts method " + name + " returned null");
    }
    return result.toString();
  }
}
