package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a server that has neither MicroProfile Metrics nor OpenTelemetry. */
class OptionalServersTest {
  /** Loads the classes of Readpast again, without the optional APIs. */
  private static final class Bare extends ClassLoader {
    Bare() {
      super(OptionalServersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.opentelemetry.")
          || name.startsWith("org.eclipse.microprofile.metrics.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("org.readpast.telemetry.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static long everythingOf(Class<?> type) {
    return Stream.of(
            type.getDeclaredMethods(), type.getDeclaredFields(), type.getDeclaredConstructors())
        .mapToLong(members -> members.length)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Telemetry", "JobInstrumentation", "Management", "LogFields"})
  void required_classes_load_without_optional_apis(String name) throws Exception {
    Class<?> type = new Bare().loadClass("org.readpast.telemetry." + name);
    assertThat(everythingOf(type)).isPositive();
  }

  @Test
  void features_of_absent_apis_are_skipped() throws Exception {
    ClassLoader bare = new Bare();
    assertThatThrownBy(
            () -> everythingOf(bare.loadClass("org.readpast.telemetry.MicroProfileMetrics")))
        .isInstanceOf(NoClassDefFoundError.class);
    Class<?> type = bare.loadClass("org.readpast.telemetry.Telemetry");
    Object telemetry = type.getConstructor().newInstance();
    Object owner =
        bare.loadClass("org.readpast.model.Owner")
            .getConstructor(String.class, String.class)
            .newInstance("shop", "shop");
    Method start = type.getMethod("start", owner.getClass());
    var engine = type.getDeclaredField("engine");
    engine.setAccessible(true);
    engine.set(
        telemetry,
        java.lang.reflect.Proxy.newProxyInstance(
            bare,
            new Class<?>[] {engine.getType()},
            (proxy, method, arguments) -> java.util.List.of()));
    var overview = type.getDeclaredField("overview");
    overview.setAccessible(true);
    overview.set(telemetry, new org.readpast.admin.Overview(null));
    start.invoke(telemetry, owner);
    type.getMethod("stop").invoke(telemetry);
  }
}
