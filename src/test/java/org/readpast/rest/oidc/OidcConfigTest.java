package org.readpast.rest.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.model.QueueRoles;
import org.readpast.rest.signin.RoleMapping;
import org.readpast.support.MapConfig;

class OidcConfigTest {
  private final Map<String, String> values = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  private OidcConfig read() {
    return OidcConfig.read(new MapConfig(values), QueueRoles.NONE.names(), faults);
  }

  @Test
  void missing_configuration_means_no_provider_and_no_error() {
    values.put("readpast.oidc.scopes", "openid");
    assertThat(read()).isNull();
    assertThat(faults).isEmpty();
  }

  @Test
  void client_without_an_issuer_is_an_error() {
    values.put("readpast.oidc.client-id", "readpast");
    assertThat(read()).isNull();
    assertThat(faults).singleElement().asString().contains("readpast.oidc.issuer is missing");
  }

  @Test
  void issuer_and_client_are_sufficient() {
    values.put("readpast.oidc.issuer", "https://sso.example.com/realms/company");
    values.put("readpast.oidc.client-id", "readpast");
    OidcConfig config = read();
    assertThat(faults).isEmpty();
    assertThat(config.name()).isEqualTo("sso.example.com");
    assertThat(config.scopes()).isEqualTo("openid profile");
    assertThat(config.nameClaim()).isEqualTo("preferred_username");
    assertThat(config.rolesClaim()).isEqualTo("groups");
    assertThat(config.audience()).isNull();
  }

  @Test
  void all_errors_are_reported_together() {
    values.put("readpast.oidc.issuer", "http://sso.example.com");
    values.put("readpast.oidc.scopes", "profile");
    values.put("readpast.oidc.redirect-uri", "https://jobs.example.com/elsewhere");
    values.put("readpast.oidc.role.\"staff\"", "readpast-boss");
    assertThat(read()).isNull();
    assertThat(faults).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://sso.example.com",
        "http://localhost.example.com",
        "http://10.0.0.1",
        "ftp://localhost",
        "https://user@sso.example.com",
        "https://sso.example.com/#x",
        "https://sso.example.com/?x=y",
        "sso.example.com",
        "https:// x"
      })
  void issuer_without_https_is_an_error(String issuer) {
    values.put("readpast.oidc.issuer", issuer);
    values.put("readpast.oidc.client-id", "readpast");
    assertThat(read()).isNull();
    assertThat(faults).singleElement().asString().contains(issuer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://localhost:8080/x", "http://127.0.0.1", "http://[::1]:9", "https://a"})
  void issuer_on_this_machine_or_with_https_is_valid(String issuer) {
    values.put("readpast.oidc.issuer", issuer);
    values.put("readpast.oidc.client-id", "readpast");
    assertThat(read()).isNotNull();
  }

  @Test
  void secret_never_appears_in_a_text() {
    values.put("readpast.oidc.issuer", "https://sso.example.com");
    values.put("readpast.oidc.client-id", "readpast");
    values.put("readpast.oidc.client-secret", "hush");
    assertThat(read().toString()).doesNotContain("hush");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "queue-admins; readpast-admin",
        "Domain Users; readpast-operator readpast-viewer",
        "readpast-viewer; readpast-viewer",
        "readpast-admin; readpast-viewer",
        "plain; readpast-viewer",
        "others; ''",
        "queue; ''"
      })
  void group_has_its_configured_roles_or_the_role_of_its_name(String group, String roles) {
    values.put("readpast.oidc.role.\"queue-admins\"", "readpast-admin");
    values.put("readpast.oidc.role.\"Domain Users\"", "readpast-viewer, readpast-operator");
    values.put("readpast.oidc.role.\"readpast-admin\"", "readpast-viewer");
    values.put("readpast.oidc.role.plain", "readpast-viewer");
    RoleMapping mapping = mapping();
    assertThat(faults).isEmpty();
    Set<String> expected = roles.isEmpty() ? Set.of() : Set.of(roles.split(" "));
    assertThat(mapping.of(List.of(group))).isEqualTo(expected);
  }

  @Test
  void group_named_like_a_role_can_have_no_role_and_an_invalid_role_grants_none() {
    values.put("readpast.oidc.role.\"readpast-admin\"", "");
    assertThat(mapping().of(List.of("readpast-admin"))).isEmpty();
    assertThat(faults).isEmpty();
    values.put("readpast.oidc.role.\"readpast-admin\"", "readpast-veiwer");
    assertThat(mapping().of(List.of("readpast-admin"))).isEmpty();
    assertThat(faults)
        .singleElement()
        .asString()
        .contains("readpast-veiwer", "this group has no role");
  }

  private RoleMapping mapping() {
    return RoleMapping.read(
        new MapConfig(values), "readpast.oidc.role.", QueueRoles.NONE.names(), faults);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example/",
        "//evil.example",
        "#//evil\r\nSet-Cookie: a=b",
        "/x",
        "#x"
      })
  void sign_in_redirects_only_to_pages_of_the_console(String page) {
    assertThat(OidcRequest.begin(page).page()).isEmpty();
  }

  @Test
  void request_is_restored_from_its_cookie() {
    OidcRequest request = OidcRequest.begin("#/jobs?q=queue%3Amail");
    assertThat(OidcRequest.of(request.cookie())).isEqualTo(request);
    assertThat(OidcRequest.of(request.cookie() + ".x")).isNull();
    assertThat(OidcRequest.of(null)).isNull();
  }
}
