package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1; select 2",
        "select 1;;",
        "select 1) as x; drop table t; --",
        "select 1) as x, (select 2",
        "select (1]",
        "select (1",
        "select 'open",
        "select \"open",
        "select $$open$",
        "select $a$ open $b$",
        "select 1 /* open /* */",
        "select E'\\''; drop table t; --'",
        "select '\\'; drop table t; --'",
        "select 1 -- ;\n; drop table t",
        "select 1 /* ; */; drop table t",
        "select a$b$ ; select $b$",
        "select 1 --\r; drop table t",
        "select 1 as \uD83D\uDE00$x$; drop table t; select 1 as \uD83D\uDE00$x$",
        "select $\uD83D\uDE00$ ' $\uD83D\uDE00$; drop table t; select ''",
        "select E'a''\\''; drop table t; --'",
        "select E'a'\n'\\''; drop table t; select '",
        "select E'a' -- x\n'\\''; drop table t; select '",
        "select 1e'\\'; drop table t; select '",
        "   ",
        "select '\0'",
      })
  void text_that_is_not_exactly_one_statement_is_refused(String text) {
    assertThatThrownBy(() -> SqlText.of(text)).isInstanceOf(SqlRefusedException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select ';' as a, \"b;c\" from t -- ; and (",
        "select $$;)$$, $tag$ $$;' $tag$ /* ; /* ) */ ' */",
        "select E'it\\'s; )', 'it''s; )', '\\' from t where a[1] = (2)",
        "select a::text, 'x:y', b[1:2] from t",
        "select 1 -- at the end",
      })
  void quoted_strings_and_comments_may_contain_any_character(String text) {
    assertThat(SqlText.of(text).literal()).isEqualTo(text);
    assertThat(SqlText.of(text).prepared()).isEqualTo(text);
    assertThat(SqlText.of(text).parameters()).isEmpty();
  }

  @Test
  void semicolon_at_the_end_is_removed() {
    assertThat(SqlText.of("select 1 ; -- done\n").literal()).isEqualTo("select 1  -- done\n");
  }

  @Test
  void parameters_are_found_outside_quotes_and_casts() {
    SqlText read =
        SqlText.of("update t set a = :a, b = cast(:b_2 as date), c = ':c'::text where d=:a--:e");
    assertThat(read.parameters()).containsExactly("a", "b_2", "a");
    assertThat(read.prepared())
        .isEqualTo("update t set a = ?, b = cast(? as date), c = ':c'::text where d=?--:e");
  }

  @Test
  void first_word_is_found_after_comments() {
    assertThat(SqlText.of(" -- a\n/* b */Commit; ").firstWord()).isEqualTo("commit");
    assertThat(SqlText.of("(select 1)").firstWord()).isEqualTo("(");
  }

  @Test
  void question_mark_operators_are_not_parameters() {
    SqlText read = SqlText.of("select '?' from t where doc ? 'a' and doc ?| :names");
    assertThat(read.prepared()).isEqualTo("select '?' from t where doc ?? 'a' and doc ??| ?");
    assertThat(read.literal()).isEqualTo("select '?' from t where doc ?? 'a' and doc ??| :names");
    assertThat(read.plain()).isEqualTo("select '?' from t where doc ? 'a' and doc ?| :names");
  }
}
