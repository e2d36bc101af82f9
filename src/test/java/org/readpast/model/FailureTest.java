package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.readpast.model.Failure.Kind;

class FailureTest {
  @Test
  void characters_that_the_database_cannot_store_are_replaced() {
    Failure failure = Failure.of(Kind.FAILED, "a\0b\uD800c\uDC00d\uD83D\uDE00");
    assertThat(failure.message()).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uD83D\uDE00");
  }

  @Test
  void long_strings_are_truncated_without_halving_a_character() {
    Failure failure = Failure.of(Kind.FAILED, "x".repeat(1_998) + "\uD83D\uDE00" + "y".repeat(100));
    assertThat(failure.message()).hasSize(2_000).endsWith("x\uFFFD…");
  }

  @Test
  void exception_without_a_readable_message_is_recorded() {
    List<Supplier<String>> silent =
        List.of(
            () -> {
              throw new NoClassDefFoundError();
            },
            () -> {
              throw new UnsupportedOperationException();
            });
    for (Supplier<String> one : silent) {
      Failure failure =
          Failure.of(
              Kind.FAILED,
              new IllegalStateException() {
                @Override
                public String getMessage() {
                  return one.get();
                }
              });
      assertThat(failure.message()).contains("cannot be read");
      assertThat(failure.trace())
          .containsPattern("NoClassDefFoundError|UnsupportedOperationException");
    }
  }
}
