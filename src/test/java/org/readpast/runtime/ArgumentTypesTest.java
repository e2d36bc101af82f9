package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.JsonObject;
import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbSubtype;
import jakarta.json.bind.annotation.JsonbTransient;
import jakarta.json.bind.annotation.JsonbTypeInfo;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which argument types JSON Binding can write and read again. */
public class ArgumentTypesTest {
  public record Tree(String name, List<Tree> branches, Map<UUID, Tree> named) {}

  /** Names the subtype in its JSON. */
  @JsonbTypeInfo(@JsonbSubtype(alias = "circle", type = Circle.class))
  public interface Shape {}

  public record Circle(double radius) implements Shape {}

  public record Page<T>(List<T> rows, Optional<String> next) {}

  public static class Bean {
    private BigDecimal price;
    private transient Thread worker;

    public BigDecimal getPrice() {
      return price;
    }

    public void setPrice(BigDecimal value) {
      price = value;
    }

    public void setWorker(Thread value) {
      worker = value;
    }

    @JsonbTransient
    public void setStream(InputStream value) {
      throw new UnsupportedOperationException(value + " " + worker);
    }
  }

  /** Has a creator method for JSON Binding. */
  public static final class Made {
    @JsonbCreator
    public static Made of(@JsonbProperty("n") int number) {
      throw new UnsupportedOperationException("" + number);
    }

    private Made() {}
  }

  /** Has a property that cannot be read. */
  public static class Broken {
    public void setWorkers(List<Thread> workers) {
      throw new UnsupportedOperationException("" + workers);
    }
  }

  @SuppressWarnings("unused")
  void good(
      int a,
      Long b,
      byte[] c,
      String[][] d,
      Thread.State e,
      Instant f,
      JsonObject g,
      Tree h,
      Shape i,
      List<? extends Shape> j,
      Page<Circle> k,
      Bean l,
      Made m,
      ArrayList<Optional<Bean>> n,
      Map<Thread.State, List<Tree>> o) {}

  @SuppressWarnings("unused")
  void bad(
      Object a,
      Thread b,
      List<Thread> c,
      Thread[] d,
      Broken e,
      Map<Tree, String> f,
      Page<InputStream> g,
      Exception h,
      Runnable i,
      Number j,
      Class<?> k,
      Optional<?> l) {}

  private static Stream<Type> parametersOf(String name) {
    Method method =
        Arrays.stream(ArgumentTypesTest.class.getDeclaredMethods())
            .filter(m -> m.getName().equals(name))
            .findFirst()
            .orElseThrow();
    return Arrays.stream(method.getGenericParameterTypes());
  }

  static Stream<Type> readable() {
    return parametersOf("good");
  }

  static Stream<Type> unreadable() {
    return parametersOf("bad");
  }

  @ParameterizedTest
  @MethodSource("readable")
  void readable_argument_type_is_accepted(Type type) {
    assertThat(ArgumentTypes.error(type)).isNull();
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void unreadable_argument_type_is_refused_with_a_remedy(Type type) {
    assertThat(ArgumentTypes.error(type)).contains("; ");
  }
}
