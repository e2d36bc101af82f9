package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the size of the first load of the console, which also depends on the server's compression.
 */
public interface FirstLoad extends Console {
  /**
   * Limits the number of bytes over the network, for the page, the font, scripts, styles and the
   * first responses.
   */
  int LIMIT = 92_000;

  @Test
  default void first_load_is_small_and_causes_no_layout_shift() {
    open("viewer", "overview");
    assertThat(page().locator(".chart canvas").last()).isVisible();
    List<String> transferred = window().transferred();
    int sum =
        transferred.stream()
            .mapToInt(one -> Integer.parseInt(one.substring(0, one.indexOf(' '))))
            .sum();
    assertThat(sum).as("%s", transferred).isLessThan(LIMIT);
    assertThat(window().layoutShifts()).isEmpty();
  }
}
