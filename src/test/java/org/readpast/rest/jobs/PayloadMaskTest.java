package org.readpast.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.model.MaskedFields;

class PayloadMaskTest {
  private final PayloadMask mask =
      new PayloadMask(MaskedFields.parse("password,card.number,cards.cvc"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"password\":\"x\"} | {\"password\":\"***\"}",
        "{\"a\":{\"password\":{\"b\":[1,\"}\"]}},\"c\":1} | {\"a\":{\"password\":\"***\"},\"c\":1}",
        "[{\"password\":1.10},{\"password\":null , \"n\":2}] | [{\"password\":\"***\"},{\"password\":\"***\" , \"n\":2}]",
        "{\"card\":{\"number\":4111,\"owner\":\"o\"},\"number\":5} | {\"card\":{\"number\":\"***\",\"owner\":\"o\"},\"number\":5}",
        "{\"x\":{\"card\":{\"number\":1}}} | {\"x\":{\"card\":{\"number\":1}}}",
        "{\"cards\":[[{\"cvc\":1}],{\"cvc\":2}]} | {\"cards\":[[{\"cvc\":\"***\"}],{\"cvc\":\"***\"}]}",
        "{\"pass\\u0077ord\":true} | {\"pass\\u0077ord\":\"***\"}",
        "{\"password\":1,\"password\":2} | {\"password\":\"***\",\"password\":\"***\"}",
        "{\"a\":\"\\\"password\\\":1\",\"password\" : [] } | {\"a\":\"\\\"password\\\":1\",\"password\" : \"***\" }",
        "{\"card\":{\"owner\":{\"number\":1}},\"b\":{\"number\":2}} | {\"card\":{\"owner\":{\"number\":1}},\"b\":{\"number\":2}}",
        "{\"password\":-1.5e+7} | {\"password\":\"***\"}",
      })
  void masked_values_of_any_kind_are_replaced(String json, String expected) {
    assertThat(mask.mask(json)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"z\": 12345678901234567890.10, \"a\":1e400,\"n\":-0,\"u\":\"\\u0000\\ud800ü😀\"}",
        "\"password\"",
        "[\"password\", {\"card\" : {} }]",
        "7",
        "null",
        " { } ",
      })
  void other_values_keep_every_digit(String json) {
    assertThat(mask.mask(json)).isEqualTo(json);
    assertThat(mask.hit()).isEmpty();
  }

  @Test
  void mask_reports_which_entries_matched() {
    mask.mask("{\"a\":{\"password\":1},\"b\":{\"password\":2},\"card\":{\"number\":3}}");
    assertThat(mask.hit()).containsExactly("card.number", "password");
  }

  @Test
  void json_inside_a_string_is_masked_and_other_text_is_hidden() {
    assertThat(mask.maskText("{\"password\":\"x\",\"a\":1}"))
        .isEqualTo("{\"password\":\"***\",\"a\":1}");
    assertThat(mask.hit()).containsExactly("password");
    assertThat(mask.maskText("{\"password\":\"x\"")).isEqualTo("***");
    assertThat(PayloadMask.NONE.maskText("{")).isEqualTo("{");
  }

  @Test
  void masking_works_at_any_depth() {
    int depth = 200_000;
    String open = "{\"a\":[".repeat(depth);
    String close = "]}".repeat(depth);
    assertThat(mask.mask(open + "{\"password\":" + open + close + "}" + close))
        .isEqualTo(open + "{\"password\":\"***\"}" + close);
  }

  @Test
  void empty_mask_returns_the_original_text() {
    String json = "{\"password\":1}";
    assertThat(PayloadMask.NONE.mask(json)).isSameAs(json);
  }
}
