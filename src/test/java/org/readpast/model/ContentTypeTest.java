package org.readpast.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobRejectedException;

class ContentTypeTest {
  private static ContentType of(String name) {
    return Objects.requireNonNull(ContentType.of(name));
  }

  @Test
  void json_is_the_default_content_type() {
    assertThat(ContentType.of(null)).isNull();
    assertThat(ContentType.of("application/json")).isNull();
    assertThat(ContentType.of("Application/JSON; charset=utf-8")).isNull();
    assertThat(ContentType.nameOf(null)).isEqualTo("application/json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/csv", "TEXT/plain", "application/xml", "image/svg+xml", "a/b+json"})
  void text_is_stored_unchanged(String name) {
    assertThat(of(name).text()).isTrue();
    assertThat(of(name).keep("a;ü\n")).isEqualTo("a;ü\n");
    assertThat(of(name).bytes("ü")).isEqualTo("ü".getBytes(UTF_8));
  }

  @Test
  void bytes_are_stored_as_base64_and_restored() {
    byte[] bytes = {0, -1, 127};
    String kept = of("image/png").keep(bytes);
    assertThat(kept).isEqualTo("AP9/");
    assertThat(of("image/png").bytes(kept)).isEqualTo(bytes);
    assertThat(of("application/octet-stream").text(of("application/octet-stream").keep("ü")))
        .isEqualTo("ü");
  }

  @Test
  void bytes_are_decoded_with_the_charset() {
    ContentType latin = of("text/plain; charset=\"ISO-8859-1\"");
    assertThat(latin.keep("ü".getBytes(ISO_8859_1))).isEqualTo("ü");
    assertThat(latin.bytes("ü")).isEqualTo("ü".getBytes(ISO_8859_1));
    assertThatThrownBy(() -> of("text/plain").keep("ü".getBytes(ISO_8859_1)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("is not text in UTF-8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text",
        "text/",
        "text/pl ain",
        "text/plain\n",
        "text/plain;charset=nix",
        "text/plain; charset=ISO-2022-CN"
      })
  void invalid_content_type_is_refused(String name) {
    assertThatThrownBy(() -> of(name)).isInstanceOf(JobRejectedException.class);
  }
}
