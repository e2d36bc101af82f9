package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.support.TestDatabase;

/** Tests that the console offers only permitted actions, and that the server refuses all others. */
interface WhoMayDoWhat extends Console {
  /** Lists buttons that only change the view. */
  List<String> HARMLESS = List.of("Search", "Copy", "Close", "Filter", "+", "−", "All");

  /** Lists the requests that the console sends for operators, each with a body. */
  String FOR_OPERATORS =
      """
      POST jobs/1/cancellation {}
      POST jobs/1/run {}
      POST jobs/1/reschedule {"at":"2027-01-01T00:00:00Z"}
      POST jobs/1/reset {}
      POST jobs/1/reset {"payloadText":"{}"}
      POST jobs/1/priority {"priority":9}
      DELETE jobs/1 {}
      POST queues/mail/jobs {"type":"readpast.ping","payload":{}}
      POST queues/mail/groups/none/skip {}
      POST jobs/bulk {"action":"DELETE","ids":[1]}
      POST jobs/bulk {"action":"RESET","matching":{"q":""}}
      PATCH queues/mail {"paused":true}
      PATCH queues/mail {"concurrency":1}
      POST batches/year-end/seal {}
      POST batches/year-end/skip {}
      POST batches/year-end/hold {}
      POST batches/year-end/release {}
      POST batches/year-end/cancellation {}
      PUT batches/year-end {"onFinish":{"type":"readpast.ping","queue":"mail","payload":{}}}
      POST schedules/report/runs {}
      POST rules/none/runs {}""";

  String FOR_ADMINISTRATORS =
      """
      POST queues/mail/purge {}
      PUT schedules/report {"cron":"0 2 * * *","type":"readpast.ping","queue":"mail"}
      PATCH schedules/report {"enabled":false}
      DELETE schedules/report {}
      PUT rules/none {"type":"readpast.ping","queue":"mail","search":"select 1"}
      PATCH rules/none {"enabled":false}
      DELETE rules/none {}
      POST nodes/00000000-0000-0000-0000-000000000000/drain {}""";

  @Test
  default void viewer_is_offered_no_action_on_any_page() {
    enterAs("viewer");
    for (String path : EveryPage.PATHS) {
      // Without an empty page in between, the locator might still find the previous page.
      page().navigate("about:blank");
      go(path);
      List<String> offered =
          page().locator("main button").allInnerTexts().stream()
              .map(String::strip)
              .filter(text -> !HARMLESS.contains(text))
              .toList();
      assertThat(offered).as(path).isEmpty();
      Locator choices =
          page()
              .locator(
                  "main :is([type=range], [type=number], [role=switch], select:not(.filter), textarea):enabled");
      assertThat(choices).hasCount(0);
    }
  }

  @Test
  default void viewer_can_only_read_a_waiting_job() {
    long job = enqueue("seen", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("viewer", "jobs/" + job);
    assertThat(page().locator(".head button")).hasCount(0);
    assertThat(page().getByLabel("Priority")).hasCount(0);
  }

  @Test
  default void server_refuses_each_action_without_its_role() {
    String before = audited();
    enterAs("viewer");
    (FOR_OPERATORS + "\n" + FOR_ADMINISTRATORS).lines().forEach(this::isRefused);
    enterAs("operator");
    FOR_ADMINISTRATORS.lines().forEach(this::isRefused);
    assertThat(audited()).isEqualTo(before);
  }

  private void isRefused(String action) {
    String[] parts = action.split(" ", 3);
    var answer = ask(parts[0], parts[1], parts[2]);
    assertThat(answer.status()).as("%s: %s", action, answer.text()).isEqualTo(403);
    assertThat(answer.text()).contains("detail");
  }

  private String audited() {
    return TestDatabase.value(database(), "select count(*) from readpast_audit");
  }

  /**
   * Another site could cause a request with the session alone, so such a request must change
   * nothing.
   */
  @Test
  default void action_without_the_token_of_the_session_is_refused() {
    enterAs("admin");
    var answer = window().context().request().post(window().uri("api/queues/mail/purge"));
    assertThat(answer.status()).isEqualTo(403);
  }
}
