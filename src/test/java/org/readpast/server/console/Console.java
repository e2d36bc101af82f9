package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.readpast.support.BrowserWindow;
import org.readpast.support.Database;
import org.readpast.support.RestApi;

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

  default String stateOf(long job) {
    return api().get("/jobs/" + job).object().getString("state");
  }
}
