package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobRejectedException;

class JobPropertiesTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "a\0", "\ud800", "readpast.then"})
  void name_that_cannot_be_used_is_refused(String name) {
    assertThatThrownBy(() -> JobProperties.check(name, "value"))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("property");
  }

  @Test
  void name_has_up_to_255_characters() {
    assertThatCode(() -> JobProperties.check("n".repeat(255), "")).doesNotThrowAnyException();
    assertThatThrownBy(() -> JobProperties.check("n".repeat(256), ""))
        .hasMessageContaining("specify 1 to 255 characters");
  }

  @Test
  void value_that_cannot_be_stored_is_refused() {
    assertThatThrownBy(() -> JobProperties.check("name", "a\0"))
        .hasMessageContaining("property 'name' contains NUL");
  }

  @Test
  void size_is_limited_as_json() {
    assertThatCode(() -> JobProperties.checkSize("x".repeat(16_384))).doesNotThrowAnyException();
    assertThatThrownBy(() -> JobProperties.checkSize("x".repeat(16_385)))
        .hasMessageContaining("16385 characters as JSON; specify at most 16384");
  }
}
