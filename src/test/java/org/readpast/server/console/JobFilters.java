package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** Tests that searches are narrowed by a click on a value, and widened by another click. */
interface JobFilters extends Console {
  private Locator filter(String group, String value) {
    return page()
        .locator("readpast-facets section[aria-label='" + group + "'] a[title='" + value + "']");
  }

  @Test
  default void facets_narrow_and_widen_the_search() {
    String later = "\"payload\":{},\"delay\":\"PT1H\",\"group\":\"faceted\"";
    enqueue("facet-one", Console.pings(3, later + ",\"properties\":{\"tenant\":\"acme\"}"));
    enqueue(
        "facet-one",
        Console.pings(2, later + ",\"priority\":9,\"properties\":{\"tenant\":\"b c\"}"));
    enqueue("facet-two", Console.pings(1, later));
    open("viewer", "jobs?q=group:faceted");
    assertThat(filter("Queue", "facet-one")).containsText("5");
    assertThat(filter("Queue", "facet-two")).containsText("1");
    assertThat(filter("tenant", "acme")).containsText("3");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("jobs-facets");

    filter("Queue", "facet-one").click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=group%3Afaceted+queue%3Afacet-one"));
    assertThat(page().locator(".rows .row")).hasCount(5);
    assertThat(filter("Queue", "facet-one")).hasAttribute("aria-current", "true");
    filter("Queue", "facet-two").click();
    assertThat(page())
        .hasURL(window().uri("#/jobs?q=group%3Afaceted+queue%3Afacet-one%2Cfacet-two"));
    assertThat(page().locator(".rows .row")).hasCount(6);
    assertThat(filter("Queue", "facet-two")).hasAttribute("aria-current", "true");
    filter("Queue", "facet-two").click();
    assertThat(page().locator(".rows .row")).hasCount(5);
    filter("Priority", "9").click();
    assertThat(page().locator(".rows .row")).hasCount(2);
    filter("tenant", "b c").click();
    assertThat(page().getByLabel("Search jobs"))
        .hasValue("group:faceted queue:facet-one priority:9 property.tenant:\"b c\"");
    assertThat(page().locator(".rows .row")).hasCount(2);
    filter("Priority", "9").click();
    filter("Queue", "facet-one").click();
    assertThat(page().getByLabel("Search jobs")).hasValue("group:faceted property.tenant:\"b c\"");
    filter("State", "BLOCKED").click();
    assertThat(page().locator(".states [aria-current]")).containsText("Blocked");
    filter("State", "BLOCKED").click();
    assertThat(page().locator(".states [aria-current]")).containsText("All");
  }

  @Test
  default void jobs_are_listed_from_the_oldest_on_request() {
    long first =
        enqueue("aged", Console.pings(1, "\"payload\":{},\"delay\":\"PT1H\",\"group\":\"aged\""));
    enqueue("aged", Console.pings(119, "\"payload\":{},\"delay\":\"PT1H\",\"group\":\"aged\""));
    open("viewer", "jobs?q=group:aged");
    Locator top = page().locator(".rows .row a").first();
    assertThat(top).not().hasText(String.valueOf(first));
    Locator heading = page().getByRole(AriaRole.COLUMNHEADER).nth(1);
    assertThat(heading).hasAttribute("aria-sort", "descending");
    heading.getByRole(AriaRole.LINK).click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=group%3Aaged&order=OLDEST"));
    assertThat(top).hasText(String.valueOf(first));
    assertThat(heading).hasAttribute("aria-sort", "ascending");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("jobs-oldest");

    page().keyboard().press("End");
    assertThat(page().locator(".jobs")).hasAttribute("aria-rowcount", "121");
    enqueue("aged", Console.pings(1, "\"payload\":{},\"delay\":\"PT1H\",\"group\":\"aged\""));
    filter("State", "BLOCKED").click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=group%3Aaged&state=BLOCKED&order=OLDEST"));
    assertThat(heading).hasAttribute("aria-sort", "ascending");
    heading.getByRole(AriaRole.LINK).click();
    assertThat(page()).hasURL(window().uri("#/jobs?q=group%3Aaged&state=BLOCKED"));
  }
}
