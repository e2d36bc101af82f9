package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests how the enqueuer of a job is stored and read. */
class PrincipalTest {
  @Test
  void name_and_roles_are_read_as_they_were_stored() {
    Principal eve = Principal.of("cn=Eve, o=\"x\"", Set.of("a clerk", "boss"));
    assertThat(Principal.read(eve.name() + "\n" + eve.roleLines())).isEqualTo(eve);
    assertThat(Principal.read("eve")).isEqualTo(Principal.of("eve", Set.of()));
    assertThat(Principal.read(null)).isEqualTo(Principal.NOBODY);
  }

  @Test
  void name_cannot_add_a_role() {
    Principal crafty = Principal.of("eve\nboss\u2028x\0", Set.of());
    assertThat(crafty.name()).isEqualTo("eve\uFFFDboss\u2028x\uFFFD");
    assertThat(Principal.read(crafty.name()).roles()).isEmpty();
    assertThat(Principal.of("eve", Set.of("a\nboss", "")).roles()).isEmpty();
  }

  @Test
  void unknown_caller_has_no_role() {
    assertThat(new Principal(null, Set.of("boss")).roles()).isEmpty();
    assertThat(Principal.NOBODY.isInOneOf(Set.of("boss"))).isFalse();
    assertThat(Principal.NOBODY.isInOneOf(Set.of())).isTrue();
  }

  @Test
  void long_name_is_cut() {
    assertThat(Principal.of("x".repeat(300), Set.of()).name()).hasSize(255).endsWith("x…");
  }
}
