package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobRejectedException;

class NamesTest {
  @Test
  void excerpt_contains_no_line_break_and_no_change_of_direction() {
    assertThat(Names.excerpt("a\r\nb\u0085c\u2028d\u2029e\u001B[31mf\u202Eg\u2066h\0"))
        .isEqualTo("a??b?c?d?e?[31mf?g?h?");
    assertThat(Names.excerpt("\uD800x\uDC00")).isEqualTo("?x?");
    assertThat(Names.excerpt("größe \uD83D\uDE00")).isEqualTo("größe \uD83D\uDE00");
  }

  @Test
  void excerpt_is_not_cut_within_a_character() {
    String text = "a".repeat(79) + "\uD83D\uDE00".repeat(2);
    assertThat(Names.excerpt(text)).isEqualTo("a".repeat(79) + "…");
    assertThat(Names.excerpt("a".repeat(81))).isEqualTo("a".repeat(80) + "…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "größe", "\uD83D\uDE00", "a\uD83D\uDE00\uD83D\uDE00b", "\uFFFF"})
  void text_of_complete_characters_can_be_stored(String text) {
    assertThat(Names.storable(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\0", "a\0", "\uD83D", "a\uD83Db", "\uDE00", "\uDE00\uD83D", "\uD83D\uD83D\uDE00"})
  void text_with_a_nul_or_half_a_surrogate_pair_cannot(String text) {
    assertThat(Names.storable(text)).isFalse();
  }

  @Property
  void valid_names_match_the_documented_patterns(
      @ForAll
          @CharRange(from = 'x', to = 'z')
          @Chars({'.', '~', '@', '_', '-', 'A', '0', ' ', 'ä'})
          @StringLength(max = 12)
          String text) {
    assertThat(Names.isName(text)).isEqualTo(text.matches("(?!\\.{1,2}$)[\\p{Alnum}._-]+"));
    assertThat(Names.isDefaultName(text))
        .isEqualTo(text.matches("[\\p{Alnum}._-]+(?:~[\\p{Alnum}._-]+){1,2}"));
  }

  @Property
  void version_of_a_type_is_1_to_4_digits(
      @ForAll @NumericChars @Chars({'@', 'x', '-', '٣'}) @StringLength(max = 6) String version) {
    boolean valid = version.matches("[1-9][0-9]{0,3}");
    if (valid) {
      Names.checkVersionedType("mail.send@" + version);
    } else {
      assertThatThrownBy(() -> Names.checkVersionedType("mail.send@" + version))
          .isInstanceOf(JobRejectedException.class)
          .hasMessage("version is 0; specify 1 to 9999");
    }
  }
}
