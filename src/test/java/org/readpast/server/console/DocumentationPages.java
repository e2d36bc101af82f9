package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the documentation next to the console, which is shown to signed-in users. */
public interface DocumentationPages extends Console {
  @Test
  default void every_page_links_to_the_searchable_documentation() {
    open("viewer", "overview");
    page().getByRole(AriaRole.LINK, named("Documentation")).click();
    assertThat(page()).hasTitle("Documentation of Readpast · Readpast");
    assertThat(window().accessibilityFaults()).isEmpty();

    page().getByLabel("Search").fill("READPAST-0079");
    page()
        .locator("#found")
        .getByRole(
            AriaRole.LINK,
            new com.microsoft.playwright.Locator.GetByRoleOptions()
                .setName(Pattern.compile("^Log ids: Jobs that fail")))
        .click();
    assertThat(page()).hasURL(Pattern.compile("/docs/reference/log-ids\\.html#jobs-that-fail-.*"));

    page().getByLabel("Search").fill("nowhere-to-be-found");
    assertThat(page().locator("#found")).containsText("No page contains");
    page().getByRole(AriaRole.LINK, named("Console")).first().click();
    assertThat(page().getByRole(AriaRole.HEADING, named("Overview"))).isVisible();
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs",
        "docs/",
        "docs/index.html",
        "docs/guide/handle.html",
        "docs/search.json",
        "docs/nothing.html",
        "docs/%69ndex.html",
        "docs;x=y/index.html"
      })
  default void page_requires_a_signed_in_user(String path) {
    window().context().clearCookies();
    APIResponse refused = get(path);
    assertThat(refused.status()).as(path).isIn(303, 404);
    assertThat(refused.text()).doesNotContain("search.js", "\"heading\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/../WEB-INF/web.xml",
        "docs/%2e%2e/web.xml",
        "docs/..%2fweb.xml",
        "docs/guide/",
        "WEB-INF/docs/index.html",
        "docs/nothing.html"
      })
  default void unknown_page_is_not_found(String path) {
    enterAs("viewer");
    assertThat(get(path).status()).as(path).isIn(400, 404);
    assertThat(get("docs/index.html").status()).isEqualTo(200);
  }

  @Test
  default void unchanged_page_is_not_sent_again() {
    enterAs("viewer");
    String tag = get("docs/search.json").headers().get("etag");
    APIResponse again =
        get("docs/search.json", RequestOptions.create().setHeader("If-None-Match", tag));
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    APIResponse other =
        get("docs/search.json", RequestOptions.create().setHeader("If-None-Match", "\"other\""));
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.body().length).isGreaterThan(10_000);
    assertThat(get("docs/index.html").headers()).doesNotContainEntry("etag", tag);
  }

  private APIResponse get(String path) {
    return get(path, RequestOptions.create());
  }

  private APIResponse get(String path, RequestOptions options) {
    return window().context().request().get(window().uri(path), options.setMaxRedirects(0));
  }
}
