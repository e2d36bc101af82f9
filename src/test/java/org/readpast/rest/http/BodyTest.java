package org.readpast.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.readpast.admin.Limits;

/** Tests how much of a request body is read before the request is refused. */
class BodyTest {
  private static final Limits LIMITS = new Limits(100, 10 << 20, 3);
  private static final int ONE = LIMITS.objectBytes();

  private static ByteArrayInputStream bytes(String begin, int length) {
    String text = begin + "1".repeat(length - begin.length());
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void object_is_read_up_to_the_limit_of_payloads() {
    assertThat(Body.objects(bytes("{", ONE), LIMITS).bytes()).hasSize(ONE);
    assertThatThrownBy(() -> Body.objects(bytes("{", ONE + 1), LIMITS))
        .hasMessageContaining("larger than " + ONE + " bytes");
    assertThatThrownBy(() -> Body.object(bytes("[", ONE + 1), LIMITS))
        .hasMessageContaining("larger than " + ONE + " bytes");
  }

  @Test
  void array_is_read_up_to_the_limit_of_requests() {
    for (String begin : new String[] {"[", " \n["}) {
      byte[] read = Body.objects(bytes(begin, 10 << 20), LIMITS).bytes();
      assertThat(new String(read, StandardCharsets.UTF_8))
          .hasSize(10 << 20)
          .startsWith(begin + "111")
          .endsWith("111");
      assertThatThrownBy(() -> Body.objects(bytes(begin, (10 << 20) + 1), LIMITS))
          .hasMessageContaining("larger than " + (10 << 20) + " bytes");
    }
  }

  @Test
  void leading_whitespace_does_not_hide_an_array_from_the_limit() {
    assertThatThrownBy(() -> Body.objects(bytes(" ".repeat(ONE) + "[", ONE + 9), LIMITS))
        .hasMessageContaining("larger than " + ONE + " bytes");
  }

  @Test
  void fields_are_refused_for_an_action_without_fields() {
    for (String none : new String[] {"", "{}", " { } "}) {
      assertThat(Body.none(text(none)).bytes()).isEqualTo(none.getBytes(StandardCharsets.UTF_8));
    }
    assertThatThrownBy(() -> Body.none(text("{\"force\": true}")))
        .hasMessageContaining("field 'force' is unknown; this action has no fields");
    assertThatThrownBy(() -> Body.none(text("[]")))
        .hasMessageContaining("a JSON object without fields");
    assertThatThrownBy(() -> Body.none(text("now"))).hasMessageContaining("JSON");
  }

  private static ByteArrayInputStream text(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void object_limit_follows_the_payload_limit() {
    assertThat(Limits.DEFAULT.objectBytes()).isEqualTo(4 << 20);
    assertThat(Limits.ofPayload(1 << 30).objectBytes()).isEqualTo((1 << 30) + (1 << 20));
  }
}
