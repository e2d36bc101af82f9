package org.readpast.runtime;

import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbTransient;
import jakarta.json.bind.annotation.JsonbTypeAdapter;
import jakarta.json.bind.annotation.JsonbTypeDeserializer;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.readpast.api.JobContext;

/**
 * Describes the JSON that a handler reads, in a form such as <code>{subject: text, to: [text]}
 * </code>. Two handlers that read the same JSON have the same description.
 */
final class PayloadShape {
  private static final int LONGEST = 2_000;
  private static final int DEEPEST = 8;

  private final Deque<Class<?>> within = new ArrayDeque<>();

  private PayloadShape() {}

  /**
   * Returns the shape of a payload, or null if the handler takes the payload unparsed or takes
   * none.
   */
  static @Nullable String of(@Nullable Class<?> payload) {
    return payload == null || payload == String.class || payload == byte[].class
        ? null
        : cut(new PayloadShape().describe(payload));
  }

  /** Returns the shape of a method's arguments, in brackets. */
  static String ofArguments(Method method) {
    return cut(
        Arrays.stream(method.getGenericParameterTypes())
            .filter(type -> type != JobContext.class)
            .map(type -> new PayloadShape().describe(type))
            .collect(Collectors.joining(", ", "[", "]")));
  }

  private static String cut(String shape) {
    // A hash is appended, so that shapes that differ only in the truncated part still differ.
    return shape.length() <= LONGEST
        ? shape
        : shape.substring(0, LONGEST) + "… #" + Integer.toHexString(shape.hashCode());
  }

  private String describe(Type type) {
    if (type instanceof Class<?> c) {
      return ofClass(c);
    }
    if (type instanceof GenericArrayType array) {
      return "[" + describe(array.getGenericComponentType()) + "]";
    }
    if (type instanceof WildcardType wildcard) {
      return describe(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof ParameterizedType p) {
      Class<?> raw = (Class<?>) p.getRawType();
      Type[] arguments = p.getActualTypeArguments();
      if (raw == Optional.class) {
        return describe(arguments[0]);
      }
      if (Collection.class.isAssignableFrom(raw)) {
        return "[" + describe(arguments[0]) + "]";
      }
      if (Map.class.isAssignableFrom(raw)) {
        return "{*: " + describe(arguments[arguments.length - 1]) + "}";
      }
      return ofClass(raw);
    }
    return "any";
  }

  private String ofClass(Class<?> type) {
    if (type.isArray()) {
      return "[" + describe(type.getComponentType()) + "]";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "boolean";
    }
    if ((type.isPrimitive() && type != char.class)
        || Number.class.isAssignableFrom(type)
        || type == OptionalInt.class
        || type == OptionalLong.class
        || type == OptionalDouble.class) {
      return "number";
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> ((Enum<?>) constant).name())
          .sorted()
          .collect(Collectors.joining("|"));
    }
    if (type.getPackageName().equals("java.time")) {
      return type.getSimpleName();
    }
    if (type == Object.class
        || type == JsonValue.class
        || JsonStructure.class.isAssignableFrom(type)
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)) {
      return "any";
    }
    if (type == char.class || type.getName().startsWith("java.")) {
      return "text";
    }
    return ofOwn(type);
  }

  private String ofOwn(Class<?> type) {
    if (type.isAnnotationPresent(JsonbTypeAdapter.class)
        || type.isAnnotationPresent(JsonbTypeDeserializer.class)
        || within.contains(type)
        || within.size() >= DEEPEST) {
      return type.getSimpleName();
    }
    within.push(type);
    try {
      Map<String, Type> members = type.isRecord() ? components(type) : properties(type);
      return members.isEmpty() && !type.isRecord()
          ? type.getSimpleName()
          : members.entrySet().stream()
              .map(member -> member.getKey() + ": " + describe(member.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
    } finally {
      within.pop();
    }
  }

  private static Map<String, Type> components(Class<?> type) {
    Map<String, Type> members = new TreeMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      members.put(name(component.getName(), component.getAccessor()), component.getGenericType());
    }
    return members;
  }

  private static Map<String, Type> properties(Class<?> type) {
    Map<String, Type> members = new TreeMap<>();
    for (Field field : type.getFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && !Modifier.isTransient(field.getModifiers())
          && !field.isAnnotationPresent(JsonbTransient.class)) {
        members.put(name(field.getName(), field), field.getGenericType());
      }
    }
    for (Method method : type.getMethods()) {
      String called = method.getName();
      if (called.startsWith("set")
          && called.length() > 3
          && method.getParameterCount() == 1
          && !Modifier.isStatic(method.getModifiers())
          && !method.isBridge()
          && !method.isAnnotationPresent(JsonbTransient.class)) {
        String property = Character.toLowerCase(called.charAt(3)) + called.substring(4);
        members.put(name(property, method), method.getGenericParameterTypes()[0]);
      }
    }
    return members;
  }

  private static String name(String own, AnnotatedElement element) {
    JsonbProperty property = element.getAnnotation(JsonbProperty.class);
    return property == null || property.value().isEmpty() ? own : property.value();
  }
}
