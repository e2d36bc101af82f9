package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EjbHandlerTest {
  private static boolean allowed(String name, String... prefixes) {
    return EjbHandler.allowed(name, List.of(prefixes));
  }

  @Test
  void only_names_of_an_allowed_application_are_looked_up() {
    assertThat(allowed("java:global/legacy/Bean!x.Y", "java:global/legacy/")).isTrue();
    assertThat(allowed("java:global/other/Bean!x.Y", "java:global/legacy/")).isFalse();
    assertThat(allowed("java:global/legacy-evil/Bean!x.Y", "java:global/legacy/")).isFalse();
    assertThat(allowed("java:global/legacy/Bean!x.Y")).isFalse();
  }

  @Test
  void prefix_outside_the_allowed_names_allows_nothing() {
    for (String prefix :
        List.of("", "/", "java:", "java:global/", "java:global/legacy", "ldap://host/", "rmi:")) {
      assertThat(EjbHandler.prefix(prefix)).as(prefix).isFalse();
      assertThat(allowed(prefix + "x", prefix)).as(prefix).isFalse();
    }
  }
}
