package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Tests the console on Payara; on Open Liberty {@code ConsoleIT} tests all of it. */
@EnabledIfSystemProperty(named = "readpast.server", matches = "payara")
class ConsoleSmokeIT extends ConsoleTest implements FirstLoad, DocumentationPages {

  @Test
  void user_signs_in_sees_every_page_acts_and_signs_out() {
    enqueue("smoke", "{\"type\":\"readpast.ping\",\"payload\":{}}");
    window().open("#/queues");
    page().getByLabel("Name").fill("operator");
    page().getByLabel("Password").fill("secret");
    button("Sign in").click();
    row("smoke").getByText("Pause").click();
    awaitSaid("smoke paused");
    for (String path :
        List.of("overview", "jobs", "queues", "batches", "schedules", "nodes", "audit", "about")) {
      go(path);
      assertThat(page().locator("[role=alert]")).hasCount(0);
    }
    assertThat(window().accessibilityFaults()).isEmpty();
    button("Sign out").click();
    assertThat(page().getByLabel("Password")).isVisible();
  }
}
