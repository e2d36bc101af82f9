package org.readpast.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests the modules of the console that need no page, with the script {@code console/modules.js}.
 */
interface ConsoleModules extends Console {
  int TESTS = 12;

  @Test
  default void pure_modules_pass_their_own_tests() throws IOException {
    open("viewer", "nodes");
    try (InputStream tests = ConsoleModules.class.getResourceAsStream("/console/modules.js")) {
      // A comment before the function would turn it into an expression that is not called.
      String script = new String(tests.readAllBytes(), UTF_8).replaceFirst("^//[^\\n]*\\n", "");
      Map<?, ?> result = (Map<?, ?>) page().evaluate(script);
      assertThat((List<?>) result.get("failures")).isEmpty();
      assertThat(result.get("tests")).isEqualTo(TESTS);
    }
  }
}
