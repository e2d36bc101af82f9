package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** How somebody comes in, and goes. */
interface SigningIn extends Console {

  private void fill(String name, String password) {
    page().getByLabel("Name").fill(name);
    page().getByLabel("Password").fill(password);
    button("Sign in").click();
  }

  @Test
  default void wrong_password_is_refused_in_words_and_the_right_one_leads_to_the_page_asked_for() {
    window().expectFault("status of 401");
    window().open("#/queues?queue=mail");
    fill("operator", "wrong");
    assertThat(page().getByRole(AriaRole.ALERT)).containsText("the name or the password is wrong");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("sign-in-refused");

    fill("operator", "secret");
    assertThat(heading("Queues")).isVisible();
    assertThat(page()).hasURL(window().uri("#/queues?queue=mail"));
    assertThat(page().locator(".who")).hasText("operator");
  }

  @Test
  default void sign_in_form_is_accessible_in_both_themes() {
    window().open("");
    assertThat(page().getByLabel("Name")).isFocused();
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("sign-in-light");
    window().dark(true);
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("sign-in-dark");
  }

  @Test
  default void sign_out_ends_the_session_and_leads_back_to_the_form() {
    open("viewer", "nodes");
    button("Sign out").click();
    assertThat(page().getByLabel("Password")).isVisible();
    page().reload();
    assertThat(page().getByLabel("Password")).isVisible();
    assertThat(window().context().request().get(window().uri("api/queues")).status())
        .isEqualTo(401);
  }

  @Test
  default void session_that_is_over_leads_to_the_form_and_back_to_the_same_page() {
    open("viewer", "queues");
    window().expectFault("status of 401");
    window().context().clearCookies();
    window().open("#/nodes");
    assertThat(page().getByLabel("Password")).isVisible();
    fill("viewer", "secret");
    assertThat(heading("Nodes")).isVisible();
  }
}
