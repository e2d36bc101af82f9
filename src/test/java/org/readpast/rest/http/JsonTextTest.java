package org.readpast.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12345678901234567890.10",
        "1e1000000",
        "-0",
        "-0.0E+7",
        "\"\\u0000\\ud800\"",
        "[]",
        "{}",
        "[ 1 ,\n2 ]",
        "{\"b\":1,\"a\":2,\"b\":3}",
        "true",
        "null",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""
      })
  void value_keeps_its_original_text(String value) {
    assertThat(JsonText.parse(value).text()).isEqualTo(value);
    assertThat(JsonText.parse(" [ " + value + " ] ").elements())
        .containsExactly(new JsonText(value));
    assertThat(JsonText.parse("{ \"v\" :\t" + value + "\r\n}").members())
        .containsEntry("v", new JsonText(value));
  }

  @Test
  void last_of_duplicate_stored_members_wins() {
    assertThat(JsonText.parse("{\"a\":1,\"\\u0061\":2}").storedMembers())
        .containsExactly(Map.entry("a", new JsonText("2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "NaN",
        "tru",
        "\"",
        "\"\\x\"",
        "\"\\u00g0\"",
        "\"\u0001\"",
        "[1 2]",
        "{\"a\" 1}",
        "1 1",
        "[]]",
        "{\"a\":}",
        "//\n1",
        "\uFEFF{}"
      })
  void invalid_json_is_refused_with_its_position(String text) {
    assertThatThrownBy(() -> JsonText.parse(text))
        .isInstanceOf(RequestException.class)
        .hasMessageMatching("the body is not JSON: .* at line \\d+, column \\d+");
  }

  @Test
  void deep_nesting_is_refused_before_the_stack_overflows() {
    int deepest = JsonScanner.DEEPEST;
    assertThat(JsonText.parse("[".repeat(deepest) + "]".repeat(deepest)).isArray()).isTrue();
    for (int depth : new int[] {deepest + 1, 10_000, 1_000_000}) {
      assertThatThrownBy(() -> JsonText.parse("[".repeat(depth) + "]".repeat(depth)))
          .isInstanceOf(RequestException.class)
          .hasMessageContaining("nested deeper than " + deepest);
    }
  }

  @Test
  void duplicate_member_is_refused_where_members_matter() {
    assertThatThrownBy(() -> JsonText.parse("{\"a\":1,\"\\u0061\":2}").members())
        .hasMessageContaining("'a' is given twice");
  }

  @Test
  void escapes_in_a_string_are_decoded() {
    assertThat(JsonText.parse("\"a\\u00e4\\n\\\"\\\\\\/\\ud83d\\ude00\"").string())
        .isEqualTo("aä\n\"\\/😀");
  }

  @Test
  void error_position_has_line_and_column() {
    assertThatThrownBy(() -> JsonText.parse("{\n  \"a\": x\n}"))
        .hasMessageContaining("line 2, column 8");
  }
}
