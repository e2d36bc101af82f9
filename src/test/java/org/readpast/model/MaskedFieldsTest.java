package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskedFieldsTest {
  private final MaskedFields fields = MaskedFields.parse(" password , card.number,, a.b.c ");

  @ParameterizedTest
  @CsvSource({
    "password, password",
    "user.password, password",
    "card.number, card.number",
    "a.b.c, a.b.c",
    "card,",
    "number,",
    "order.card.number,",
    "card.number.digits,",
    "Password,",
    "passwords,",
  })
  void member_is_masked_by_its_name_anywhere_or_by_its_path(String path, String by) {
    assertThat(fields.covering(List.of(path.split("\\.")))).isEqualTo(by);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "user.password",
        "password.old",
        "card",
        "card.number",
        "card.number.digits",
        "card.0.number",
        "a",
        "a.b",
        "a.b.c.d",
        "users.3.password"
      })
  void masked_field_and_its_parents_and_children_cannot_be_searched(String path) {
    assertThat(fields.touch(List.of(path.split("\\.")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"invoice", "card.owner", "order.card.number", "a.c", "b.c", "cards"})
  void unmasked_field_can_be_searched(String path) {
    assertThat(fields.touch(List.of(path.split("\\.")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b", ".a", "a.", "."})
  void path_with_an_empty_part_is_refused(String list) {
    assertThatThrownBy(() -> MaskedFields.parse(list)).hasMessageContaining("empty part");
  }

  @Test
  void nothing_is_masked_by_an_empty_list() {
    assertThat(MaskedFields.parse(" , ").none()).isTrue();
    assertThat(fields.none()).isFalse();
  }
}
