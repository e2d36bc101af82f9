package org.readpast.runtime;

import jakarta.json.JsonArray;
import jakarta.json.JsonValue;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;

/**
 * Writes and reads the arguments of a {@link org.readpast.api.Background} method as a JSON array in
 * the order of the parameters. The array has no parameter names, because they are unknown unless
 * the application was compiled with them.
 */
final class Arguments {
  // The empty values of types that JSON represents as null.
  private static final Map<Class<?>, Object> EMPTY =
      Map.of(
          Optional.class, Optional.empty(),
          OptionalInt.class, OptionalInt.empty(),
          OptionalLong.class, OptionalLong.empty(),
          OptionalDouble.class, OptionalDouble.empty());

  private Arguments() {}

  static String write(Json json, Method method, @Nullable Object[] arguments) {
    Type[] types = method.getGenericParameterTypes();
    StringJoiner array = new StringJoiner(",", "[", "]");
    for (int i = 0; i < types.length; i++) {
      if (types[i] != JobContext.class) {
        Object argument = arguments[i];
        array.add(argument == null ? "null" : json.write(argument, types[i]));
      }
    }
    return array.toString();
  }

  /**
   * Reads the arguments of a call.
   *
   * @throws IllegalArgumentException if the number of arguments differs from that of the
   *     parameters, or if an argument does not fit its parameter
   */
  static @Nullable Object[] read(Json json, Method method, String payload, JobContext context) {
    JsonArray array = json.readArray(payload);
    Class<?>[] classes = method.getParameterTypes();
    Type[] types = method.getGenericParameterTypes();
    long taken = Arrays.stream(classes).filter(c -> c != JobContext.class).count();
    if (array.size() != taken) {
      throw new IllegalArgumentException(
          "the stored call has " + array.size() + " arguments, but the method takes " + taken);
    }
    @Nullable Object[] arguments = new Object[types.length];
    int place = 0;
    for (int i = 0; i < types.length; i++) {
      if (classes[i] == JobContext.class) {
        arguments[i] = context;
        continue;
      }
      JsonValue value = array.get(place++);
      if (value != JsonValue.NULL) {
        arguments[i] = json.read(value.toString(), types[i]);
      } else if (EMPTY.containsKey(classes[i])) {
        arguments[i] = EMPTY.get(classes[i]);
      } else if (classes[i].isPrimitive()) {
        throw new IllegalArgumentException(
            "argument " + place + " is null, but the method takes " + classes[i]);
      }
    }
    return arguments;
  }
}
