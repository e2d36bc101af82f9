package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import jakarta.json.Json;
import java.io.StringReader;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.readpast.support.BrowserWindow;
import org.readpast.support.Database;
import org.readpast.support.RestApi;
import org.readpast.support.TestDatabase;

/**
 * The console as a test has it before it: a window of its own, and a server that others use too.
 */
public interface Console {
  BrowserWindow window();

  /** As the administrator, from outside. */
  RestApi api();

  Database database();

  default Page page() {
    return window().page();
  }

  /** Signs in without the form: {@code admin}, {@code operator} or {@code viewer}. */
  default void enterAs(String user) {
    // Who is somebody already needs the token of that session.
    window().context().clearCookies();
    var answer =
        window()
            .context()
            .request()
            .post(
                window().uri("api/session"),
                RequestOptions.create().setData(Map.of("name", user, "password", "secret")));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
  }

  /** Signs in and goes to a page, such as {@code jobs?state=RUNNING}. */
  default void open(String user, String path) {
    enterAs(user);
    go(path);
  }

  /** Goes to a page and waits until it shows what it has loaded. */
  default void go(String path) {
    window().open("#/" + path);
    awaitLoaded();
  }

  /**
   * Goes to a page at the moment at which the answer to a change has come, before the console sees
   * either.
   */
  default void goOnAnswer(String method, String path) {
    page()
        .evaluate(
            """
            ([method, hash]) => {
              const fetch = window.fetch;
              window.fetch = async (path, request) => {
                const answer = await fetch(path, request);
                if (request?.method === method) {
                  const body = await answer.text();
                  answer.text = async () => {
                    location.hash = hash;
                    return body;
                  };
                }
                return answer;
              };
            }""",
            List.of(method, "#/" + path));
  }

  default void awaitLoaded() {
    assertThat(page().locator("main h1")).isVisible();
    assertThat(page().locator(".skeleton:visible")).hasCount(0);
  }

  default Locator button(String name) {
    return page()
        .getByRole(
            AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^\\s*" + name)));
  }

  /** What is filled in under a label. */
  default Locator field(String label) {
    return page().getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  default Locator heading(String name) {
    return page().getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
  }

  /** The row of a table, or of the list of jobs, that has this text. */
  default Locator row(String text) {
    return page()
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(text))
        .first();
  }

  /** Presses the button of the dialogue that asks. */
  default void confirm(String action) {
    Locator dialog = page().locator("dialog[open]");
    assertThat(dialog).isVisible();
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(action).setExact(true))
        .click();
  }

  default void awaitSaid(String text) {
    assertThat(
            page()
                .locator("#announcements")
                .getByText(text, new Locator.GetByTextOptions().setExact(false)))
        .isVisible();
  }

  /** Enqueues over the API; the number of the first job. */
  default long enqueue(String queue, String jobs) {
    var answer = api().post("/queues/" + queue + "/jobs", jobs);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(201);
    return Pattern.compile("\\d+")
        .matcher(answer.body().toString())
        .results()
        .map(MatchResult::group)
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }

  /** The same simple jobs, as JSON. */
  static String pings(int number, String more) {
    String job = "{\"type\":\"readpast.ping\"," + more + "}";
    return "[" + String.join(",", Collections.nCopies(number, job)) + "]";
  }

  /** How many jobs of a queue are in a state, live or ended. */
  default long count(String queue, String state) {
    return TestDatabase.count(
        database(),
        "select count(*) from (select queue, state from readpast_job union all select queue, state"
            + " from readpast_job_history) j where queue = '%s' and state = '%s'"
                .formatted(queue, state));
  }

  /** What the API answers to the person of this window, asked as the console would ask. */
  default APIResponse ask(String method, String path, String json) {
    var request = window().context().request();
    try (var session =
        Json.createReader(new StringReader(request.get(window().uri("api/session")).text()))) {
      return request.fetch(
          window().uri("api/" + path),
          RequestOptions.create()
              .setMethod(method)
              .setHeader("X-CSRF-Token", session.readObject().getString("csrfToken"))
              .setHeader("Content-Type", "application/json")
              .setData(json));
    }
  }

  default String stateOf(long job) {
    return api().get("/jobs/" + job).object().getString("state");
  }
}
