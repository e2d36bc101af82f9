package org.readpast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.model.SqlRefusedException;

class SqlHandlerTest {

  private static JsonObject n(String number) {
    try (var reader = Json.createReader(new StringReader("{\"n\":" + number + "}"))) {
      return reader.readObject();
    }
  }

  @Test
  void integers_are_bound_as_integers_and_other_numbers_keep_every_digit() {
    assertThat(SqlHandler.parameters(n("1e3"))).containsEntry("n", 1_000L);
    assertThat(SqlHandler.parameters(n("1.10"))).containsEntry("n", new BigDecimal("1.10"));
    assertThat(SqlHandler.parameters(n("1e-16383"))).containsEntry("n", new BigDecimal("1e-16383"));
    assertThat(SqlHandler.parameters(n("1e131071"))).containsEntry("n", new BigDecimal("1e131071"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-16384", "1e131072", "1e-600000000", "-1e600000000"})
  void number_out_of_the_range_of_postgresql_is_refused(String number) {
    assertThatThrownBy(() -> SqlHandler.parameters(n(number)))
        .isInstanceOf(SqlRefusedException.class)
        .hasMessageContaining("parameter 'n' is ")
        .hasMessageContaining("specify a number within these");
  }
}
