package org.readpast.server.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;

/** Tests that users sign in and out. */
interface SigningIn extends Console {

  private void fill(String name, String password) {
    page().getByLabel("Name").fill(name);
    page().getByLabel("Password").fill(password);
    button("Sign in").click();
  }

  @Test
  default void wrong_password_is_explained_and_the_right_one_opens_the_requested_page() {
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
  default void sign_out_ends_the_session_and_returns_to_the_form() {
    open("viewer", "nodes");
    button("Sign out").click();
    assertThat(page().getByLabel("Password")).isVisible();
    page().reload();
    assertThat(page().getByLabel("Password")).isVisible();
    assertThat(window().context().request().get(window().uri("api/queues")).status())
        .isEqualTo(401);
  }

  @Test
  default void expired_session_leads_to_the_form_and_back_to_the_same_page() {
    open("viewer", "queues");
    window().expectFault("status of 401");
    window().context().clearCookies();
    window().open("#/nodes");
    assertThat(page().getByLabel("Password")).isVisible();
    fill("viewer", "secret");
    assertThat(heading("Nodes")).isVisible();
  }

  @Test
  default void expired_session_is_renewed_above_the_unchanged_page() {
    open("admin", "schedules");
    button("New schedule").click();
    field("Name").fill("dawn");
    field("At").fill("0 3 * * *");
    field("Type").fill("readpast.ping");
    field("Queue").fill("nights");
    window().expectFault("status of 401");
    window().context().clearCookies();
    button("Save").click();
    Locator dialog = page().locator("dialog[open]");
    assertThat(dialog).containsText("Your session has ended");
    assertThat(dialog.getByLabel("Password")).isFocused();
    assertThat(dialog.getByLabel("Name")).hasValue("admin");
    assertThat(window().accessibilityFaults()).isEmpty();
    window().screenshot("sign-in-again");
    dialog.getByLabel("Password").fill("wrong");
    dialog.getByText("Sign in", new Locator.GetByTextOptions().setExact(true)).click();
    assertThat(dialog).containsText("the name or the password is wrong");
    dialog.getByLabel("Password").fill("secret");
    dialog.getByLabel("Password").press("Enter");
    assertThat(dialog).hasCount(0);
    // The console repeats the request that was refused before the sign-in.
    assertThat(heading("At 03:00, every day")).isVisible();
    assertThat(api().get("/schedules/dawn").status()).isEqualTo(200);
  }

  @Test
  default void sign_in_of_another_user_replaces_the_page() {
    open("admin", "schedules");
    button("New schedule").click();
    window().expectFault("status of 401");
    window().context().clearCookies();
    window().open("#/schedules?anew=1");
    Locator dialog = page().locator("dialog[open]");
    dialog.getByLabel("Name").fill("viewer");
    dialog.getByLabel("Password").fill("secret");
    dialog.getByLabel("Password").press("Enter");
    assertThat(page().locator(".who")).hasText("viewer");
    assertThat(row("report")).isVisible();
    assertThat(button("Save")).hasCount(0);
    assertThat(button("New schedule")).hasCount(0);
  }

  @Test
  default void session_renewed_in_another_window_is_used_by_this_window() {
    window().expectFault("status of 403");
    enqueue("two-windows", "{\"type\":\"readpast.ping\",\"payload\":{},\"delay\":\"PT1H\"}");
    open("operator", "queues?queue=two-windows");
    enterAs("operator");
    row("two-windows").getByText("Pause").click();
    awaitSaid("two-windows paused");

    enterAs("viewer");
    row("two-windows").getByText("Resume").click();
    awaitSaid("viewer has signed in to this browser");
    assertThat(page().locator(".who")).hasText("viewer");
    assertThat(row("two-windows")).containsText("Paused");
    assertThat(button("Resume")).hasCount(0);
    assertThat(api().send("PATCH", "/queues/two-windows", "{\"paused\":false}").status())
        .isLessThan(300);
  }
}
