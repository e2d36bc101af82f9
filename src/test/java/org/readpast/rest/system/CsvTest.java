package org.readpast.rest.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @Test
  void cells_keep_commas_quotes_and_line_breaks() {
    assertThat(Csv.line(1, "a,b", "say \"no\"", "two\nlines", null, ""))
        .isEqualTo("\"1\",\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\"\",\"\"\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "=\"a\"",
        " =1",
        "＝1"
      })
  void cell_that_a_spreadsheet_would_evaluate_is_escaped(String cell) {
    assertThat(Csv.line(cell)).startsWith("\"'" + cell.charAt(0));
  }

  @Test
  void cell_split_at_semicolons_contains_no_formula() {
    assertThat(Csv.line("q/x;=1+1; \t@f;a")).isEqualTo("\"q/x;'=1+1; \t'@f;a\"\r\n");
  }

  @Test
  void formula_characters_inside_a_cell_stay_unescaped() {
    assertThat(Csv.line("a=b", "x@y", "1-2")).isEqualTo("\"a=b\",\"x@y\",\"1-2\"\r\n");
  }
}
