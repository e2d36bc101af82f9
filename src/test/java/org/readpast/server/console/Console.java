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
 * Represents the console as used by a test, which has its own browser window and shares the server
 * with other tests.
 */
public interface Console {
  BrowserWindow window();

  /** Returns a client of the API with the administrator's password. */
  RestApi api();

  Database database();

  default Page page() {
    return window().page();
  }

  /** Signs in as {@code admin}, {@code operator} or {@code viewer}, without the form. */
  default void enterAs(String user) {
    // If the window is already signed in, the request needs the token of its session.
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

  /** Signs in and opens a page, such as {@code jobs?state=RUNNING}. */
  default void open(String user, String path) {
    enterAs(user);
    go(path);
  }

  /** Opens a page and waits until its content is loaded. */
  default void go(String path) {
    window().open("#/" + path);
    awaitLoaded();
  }

  /**
   * Opens a page as soon as the response to a change has arrived, before the console processes the
   * response.
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

  /** Returns the field with the given label. */
  default Locator field(String label) {
    return page().getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  default Locator heading(String name) {
    return page().getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
  }

  /** Returns the row with the given text, in a table or in the list of jobs. */
  default Locator row(String text) {
    return page()
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(text))
        .first();
  }

  /** Presses the button of the confirmation dialog. */
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

  /** Enqueues jobs over the API, and returns the id of the first one. */
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

  /** Returns several simple jobs that are equal, as JSON. */
  static String pings(int number, String more) {
    String job = "{\"type\":\"readpast.ping\"," + more + "}";
    return "[" + String.join(",", Collections.nCopies(number, job)) + "]";
  }

  /** Returns the number of live or ended jobs of a queue in a state. */
  default long count(String queue, String state) {
    return TestDatabase.count(
        database(),
        "select count(*) from (select queue, state from readpast_job union all select queue, state"
            + " from readpast_job_history) j where queue = '%s' and state = '%s'"
                .formatted(queue, state));
  }

  /**
   * Returns the API's response to the user of this window, requested in the same way as by the
   * console.
   */
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
