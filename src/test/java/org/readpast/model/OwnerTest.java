package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobRejectedException;

class OwnerTest {
  private static final String LONG = "x".repeat(200);

  @ParameterizedTest
  @CsvSource({
    "shop, shop, shop",
    "bank, web, bank~web",
    "a.b_c-1, back-office, a.b_c-1~back-office"
  })
  void owner_is_the_application_or_its_module(String application, String module, String name) {
    assertThat(new Owner(application, module).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"größe", "a b", "a~b", "a:1.0", "a/b", "a,b=\"c\"*?", "\uD83D\uDE00", ""})
  void special_characters_are_replaced_in_names(String application) {
    Owner owner = new Owner(application, "web");
    assertThat(owner.name()).matches("[A-Za-z0-9._-]*~web");
    String name = owner.complete(Names.ofMethod(OwnerTest.class, "m"));
    if (!application.isEmpty()) {
      assertThatCode(() -> Names.checkType(name)).doesNotThrowAnyException();
    }
  }

  @Test
  void applications_with_similar_names_have_distinct_owner_names() {
    assertThat(new Owner("a b", "a b").name())
        .startsWith("a_b-")
        .isNotEqualTo(new Owner("a_b", "a_b").name())
        .isNotEqualTo(new Owner("a/b", "a/b").name());
    assertThat(new Owner(LONG + "1", "m").name()).isNotEqualTo(new Owner(LONG + "2", "m").name());
    assertThat(new Owner(LONG + "1", LONG + "2").name()).hasSize(Owner.LONGEST);
  }

  @Test
  void default_name_has_owner_full_class_name_and_method() {
    String name = Names.ofMethod(Map.Entry.class, "getKey");
    assertThat(new Owner("bank", "web").complete(name))
        .isEqualTo("bank~web~java.util.Map.Entry.getKey");
    assertThat(new Owner("bank", "web").complete("explicit")).isEqualTo("explicit");
  }

  @Test
  void longest_default_name_is_accepted_everywhere_and_a_longer_name_nowhere() {
    int rest = 300 - Owner.LONGEST - 1 - "java.lang.Object.".length();
    String longest =
        new Owner(LONG, LONG + "2").complete(Names.ofMethod(Object.class, "m".repeat(rest)));
    assertThat(longest).hasSize(300);
    assertThatCode(() -> Names.checkType(longest)).doesNotThrowAnyException();
    assertThatCode(() -> Names.checkSchedule(longest)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Names.ofMethod(Object.class, "m".repeat(rest + 1)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("specify an explicit name");
    assertThatThrownBy(() -> Names.ofMethod(Object.class, "größe"))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("'java.lang.Object.größe' cannot be part of a default name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop~a.B.m", "~a.B.m", "a~b~c~d", "a b", "..", ""})
  void explicit_name_with_a_tilde_is_refused(String name) {
    assertThatThrownBy(() -> Names.checkExplicitType(name))
        .isInstanceOf(JobRejectedException.class);
    assertThatThrownBy(() -> Names.checkExplicitSchedule(name))
        .isInstanceOf(JobRejectedException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"~a.B.m", "a~b~c~d", "a~", "a~~b", "a b~c", ".."})
  void name_that_is_neither_explicit_nor_default_is_refused(String name) {
    assertThatThrownBy(() -> Names.checkType(name)).isInstanceOf(JobRejectedException.class);
    assertThatThrownBy(() -> Names.checkSchedule(name)).isInstanceOf(JobRejectedException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "shop-1.0, true",
    "shop_2.13.1, true",
    "shop-v1.2, true",
    "shop:1.0, true",
    "shop, false",
    "shop-2, false",
    "log4j2.0, false",
    "b2b-shop, false"
  })
  void version_in_an_application_name_is_detected(String application, boolean versioned) {
    assertThat(new Owner(application, application).versioned()).isEqualTo(versioned);
    assertThat(new Owner("ear", application).versioned()).isEqualTo(versioned);
  }
}
