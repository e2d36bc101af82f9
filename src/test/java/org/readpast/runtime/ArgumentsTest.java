package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  void call(Optional<String> text, OptionalInt i, OptionalLong l, OptionalDouble d, String plain) {}

  @Test
  void empty_arguments_survive_writing_and_reading() throws Exception {
    Method method =
        ArgumentsTest.class.getDeclaredMethod(
            "call",
            Optional.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class,
            String.class);
    Json json = new Json();
    Object[] none = {
      Optional.empty(), OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty(), null
    };
    Object[] some = {
      Optional.of("x"), OptionalInt.of(1), OptionalLong.of(2), OptionalDouble.of(0.5), "y"
    };
    for (Object[] arguments : new Object[][] {none, some}) {
      assertThat(Arguments.read(json, method, Arguments.write(json, method, arguments), null))
          .containsExactly(arguments);
    }
  }
}
