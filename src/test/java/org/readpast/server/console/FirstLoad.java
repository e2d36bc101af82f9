package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What it costs to open the console, which depends on the server's compression too. */
public interface FirstLoad extends Console {
  /** In bytes: page, font, scripts, styles and the first answers, as they come over the network. */
  int LIMIT = 80_000;

  @Test
  default void first_load_is_small_and_nothing_moves_meanwhile() {
    open("viewer", "overview");
    assertThat(page().locator(".chart canvas")).isVisible();
    List<String> transferred = window().transferred();
    int sum =
        transferred.stream()
            .mapToInt(one -> Integer.parseInt(one.substring(0, one.indexOf(' '))))
            .sum();
    assertThat(sum).as("%s", transferred).isLessThan(LIMIT);
    assertThat(window().layoutShifts()).isEmpty();
  }
}
