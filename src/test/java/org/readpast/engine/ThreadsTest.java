package org.readpast.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ThreadsTest {
  static Stream<Throwable> reasons() {
    return Stream.of(
        new RejectedExecutionException(),
        new IllegalStateException(),
        new NullPointerException(),
        new OutOfMemoryError("unable to create native thread"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void caller_is_notified_if_no_thread_is_available(Throwable reason) {
    Threads none =
        task -> {
          throw reason instanceof Error error ? error : sneaky((RuntimeException) reason);
        };
    assertThat(none.tryStart(() -> {})).isFalse();
    assertThat(((Threads) Runnable::run).tryStart(() -> {})).isTrue();
  }

  private static Error sneaky(RuntimeException reason) {
    throw reason;
  }
}
