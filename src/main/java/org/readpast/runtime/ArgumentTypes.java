package org.readpast.runtime;

import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbTransient;
import jakarta.json.bind.annotation.JsonbTypeAdapter;
import jakarta.json.bind.annotation.JsonbTypeDeserializer;
import jakarta.json.bind.annotation.JsonbTypeInfo;
import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks for a type whether JSON Binding can write its values and read them back. */
final class ArgumentTypes {
  private static final Set<Class<?>> VALUES =
      Set.of(
          Boolean.class,
          Byte.class,
          Character.class,
          Double.class,
          Float.class,
          Integer.class,
          Long.class,
          Short.class,
          String.class,
          BigDecimal.class,
          BigInteger.class,
          UUID.class,
          URI.class,
          URL.class,
          Date.class,
          Calendar.class,
          GregorianCalendar.class,
          TimeZone.class,
          OptionalDouble.class,
          OptionalInt.class,
          OptionalLong.class);
  private static final List<Class<? extends Annotation>> TOLD_HOW =
      List.of(JsonbTypeAdapter.class, JsonbTypeDeserializer.class, JsonbTypeInfo.class);

  private final Set<Type> seen = new HashSet<>();
  // True while the class of a parameterized type is checked: its type arguments are checked
  // separately, so type variables in the class are allowed.
  private boolean variablesNamed;

  private ArgumentTypes() {}

  /** Returns what is wrong with a type and how to fix it, or null if nothing is wrong. */
  static @Nullable String error(Type type) {
    return new ArgumentTypes().of(type);
  }

  private @Nullable String of(Type type) {
    if (!seen.add(type)) {
      return null;
    }
    if (type instanceof Class<?> c) {
      return ofClass(c);
    }
    if (type instanceof ParameterizedType p) {
      return ofParameterized(p);
    }
    if (type instanceof GenericArrayType array) {
      return of(array.getGenericComponentType());
    }
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0]);
    }
    return variablesNamed ? null : type + " is a type variable; use a concrete type";
  }

  private @Nullable String ofParameterized(ParameterizedType type) {
    Class<?> raw = (Class<?>) type.getRawType();
    Type[] arguments = type.getActualTypeArguments();
    if (Map.class.isAssignableFrom(raw) && !isValue(arguments[0])) {
      return "the keys of " + type + " are not strings, numbers or enums; use such keys";
    }
    if (!isContainer(raw)) {
      boolean outer = variablesNamed;
      variablesNamed = true;
      String error = ofClass(raw);
      variablesNamed = outer;
      if (error != null) {
        return error;
      }
    }
    return firstOf(Arrays.stream(arguments));
  }

  /**
   * Returns true if the class is a container of values, such as a list or a map, that JSON Binding
   * supports.
   */
  private static boolean isContainer(Class<?> raw) {
    return raw.getName().startsWith("java.util.")
        && (raw == Optional.class
            || Collection.class.isAssignableFrom(raw)
            || Map.class.isAssignableFrom(raw));
  }

  private static boolean isValue(Type type) {
    return type instanceof Class<?> c && (VALUES.contains(c) || c.isEnum());
  }

  private @Nullable String ofClass(Class<?> type) {
    if (type.isArray()) {
      return of(type.getComponentType());
    }
    if (type.isPrimitive()
        || type.isEnum()
        || VALUES.contains(type)
        || type.getPackageName().equals("java.time")
        || type == JsonValue.class
        || JsonStructure.class.isAssignableFrom(type)
        || TOLD_HOW.stream().anyMatch(type::isAnnotationPresent)) {
      return null;
    }
    String name = type.getName();
    if (isContainer(type)) {
      return name + " has no type argument; write " + type.getSimpleName() + "<YourType>";
    }
    if (name.startsWith("java.") || name.startsWith("javax.") || name.startsWith("jakarta.")) {
      return name + " cannot be stored as JSON; pass what the method needs of it, such as an id";
    }
    if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
      return name
          + " is "
          + (type.isInterface() ? "an interface" : "abstract")
          + ", so the class of the argument would be lost; declare that class, or add"
          + " @JsonbTypeInfo";
    }
    if (Throwable.class.isAssignableFrom(type)) {
      return name + " is an exception, which cannot be read from JSON; pass its message";
    }
    if (!Modifier.isPublic(type.getModifiers())
        || (type.isMemberClass() && !Modifier.isStatic(type.getModifiers()))
        || type.isLocalClass()
        || type.isAnonymousClass()) {
      return name
          + " is not a public top-level or static nested class; make it public, and static if"
          + " it is nested";
    }
    return type.isRecord()
        ? firstOf(Arrays.stream(type.getRecordComponents()).map(RecordComponent::getGenericType))
        : ofBean(type);
  }

  private @Nullable String ofBean(Class<?> type) {
    if (!canBeMade(type)) {
      return type.getName()
          + " cannot be created from JSON; add a public constructor without parameters or"
          + " a @JsonbCreator, or make it a record";
    }
    Stream<Type> setters =
        Arrays.stream(type.getMethods())
            .filter(
                m ->
                    m.getName().startsWith("set")
                        && m.getParameterCount() == 1
                        && !Modifier.isStatic(m.getModifiers())
                        && !m.isBridge()
                        && !m.isAnnotationPresent(JsonbTransient.class)
                        && !isTransient(type, m))
            .map(m -> m.getGenericParameterTypes()[0]);
    return firstOf(setters);
  }

  private static boolean isTransient(Class<?> type, Method setter) {
    String name = setter.getName().substring(3);
    if (name.isEmpty()) {
      return true;
    }
    String property = Character.toLowerCase(name.charAt(0)) + name.substring(1);
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (field.getName().equals(property)) {
          return Modifier.isTransient(field.getModifiers())
              || field.isAnnotationPresent(JsonbTransient.class);
        }
      }
    }
    return false;
  }

  private static boolean canBeMade(Class<?> type) {
    return Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
        .anyMatch(ArgumentTypes::makes);
  }

  private static boolean makes(Executable maker) {
    boolean plain =
        !(maker instanceof Method)
            && maker.getParameterCount() == 0
            && (maker.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    return plain || maker.isAnnotationPresent(JsonbCreator.class);
  }

  private @Nullable String firstOf(Stream<Type> types) {
    // Nulls are filtered out, because findFirst throws an exception if it finds null.
    return types.map(this::of).filter(Objects::nonNull).findFirst().orElse(null);
  }
}
