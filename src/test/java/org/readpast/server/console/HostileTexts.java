package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.support.TestDatabase;

/** Tests strings that another user may have put into a job to harm its viewers. */
interface HostileTexts extends Console {
  long JOB = 900_000_001;

  String MARKUP =
      "<img src=x onerror=hacked=1><script>hacked=1</script></script><svg onload=hacked=1>";

  /** Reverses the direction of the following text, which is a trick for faking file names. */
  String REVERSED = "\u202Ecod.exe\u2066";

  String LONG_WORD = "w".repeat(1_500);

  /**
   * Stores a job with strings that handlers and callers may have stored; the API would refuse some
   * of them.
   */
  default void insertHostileJob() {
    if (TestDatabase.count(
            database(), "select count(*) from readpast_failure where job_id = " + JOB)
        > 0) {
      return;
    }
    String text = MARKUP + REVERSED;
    String json = "{\"text\":\"" + text + "\",\"" + MARKUP + "\":\"" + LONG_WORD + "\"}";
    database()
        .execute(
            """
            insert into readpast_job_history (id, enqueued_at, available_at, started_at, claim_no, attempt, uncounted,
              crashes, max_attempts, priority, state, queue, type, correlation_id, properties, payload)
            values (%1$d, now(), now(), now(), 1, 1, 0, 0, 1, 4, 'DISCARDED', 'hostile', 'hostile.type',
              left('%2$s', 200), '%3$s', '%3$s')"""
                .formatted(JOB, text, json));
    database()
        .execute(
            """
            insert into readpast_failure (job_id, attempt, kind, exception, message, trace)
            values (%1$d, 1, 'FAILED', 'x.%2$s', '%2$s %3$s', 'x: %2$s at %3$s')"""
                .formatted(JOB, text, LONG_WORD));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs/" + JOB, "jobs?q=queue:hostile"})
  default void markup_in_a_job_is_shown_as_text(String path) {
    insertHostileJob();
    open("admin", path);
    assertHarmless();
    window().screenshot("hostile-" + path.replaceAll("\\W", "-"));
    page().setViewportSize(EveryPage.PHONE_WIDTH, EveryPage.PHONE_HEIGHT);
    assertThat(page().evaluate("document.documentElement.scrollWidth"))
        .isEqualTo(EveryPage.PHONE_WIDTH);
  }

  @Test
  default void hostile_job_is_completely_readable() {
    insertHostileJob();
    open("admin", "jobs/" + JOB);
    assertThat(page().locator("pre").first()).containsText("<img src=x onerror=hacked=1>");
    assertThat(page().locator("pre").first()).containsText("\\u202ecod.exe");
    assertThat(page().locator("summary").first()).containsText("<svg onload=hacked=1>");
    assertThat(page().locator("summary").first()).containsText("\\u202ecod.exe");
    assertThat(page().getByLabel("Headers")).containsText("\\u202ecod.exe");
    assertThat(page().locator("main")).not().containsText("\u202E");
    assertThat(page().locator("pre").last()).containsText("</script>");
  }

  /** An address may also contain strings from other users. */
  @Test
  default void address_cannot_inject_markup_into_the_page() {
    window().expectFault("status of 400");
    window().expectFault("status of 404");
    open("admin", "jobs?q=" + "%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E");
    assertHarmless();
    go("batches/%3Cimg%20src%3Dx%20onerror%3Dhacked%3D1%3E");
    assertHarmless();
    assertThat(heading("<img src=x onerror=hacked=1>")).isVisible();
  }

  default void assertHarmless() {
    assertThat(page().locator("img[src=x], main script, svg[onload]")).hasCount(0);
    assertThat(page().evaluate("typeof hacked")).isEqualTo("undefined");
  }
}
