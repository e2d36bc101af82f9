package org.readpast.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.bind.annotation.JsonbProperty;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.readpast.api.JobContext;

class PayloadShapeTest {
  enum Color {
    RED,
    BLUE
  }

  record Line(String text, Line next) {}

  record Order(
      long id,
      Integer pieces,
      Optional<String> note,
      Instant at,
      Color color,
      List<Line> lines,
      Map<String, Boolean> flags,
      @JsonbProperty("e-mail") String email) {}

  public static class Bean {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String value) {
      name = value;
    }
  }

  void called(String to, JobContext context, int[] copies) {}

  @Test
  void shape_matches_the_json_that_is_read() {
    assertThat(PayloadShape.of(Order.class))
        .isEqualTo(
            "{at: Instant, color: BLUE|RED, e-mail: text, flags: {*: boolean}, id: number,"
                + " lines: [{next: Line, text: text}], note: text, pieces: number}");
    assertThat(PayloadShape.of(Bean.class)).isEqualTo("{name: text}");
    assertThat(PayloadShape.of(String.class)).isNull();
  }

  @Test
  void shape_has_the_arguments_that_are_stored() throws Exception {
    Method method =
        PayloadShapeTest.class.getDeclaredMethod(
            "called", String.class, JobContext.class, int[].class);
    assertThat(PayloadShape.ofArguments(method)).isEqualTo("[text, [number]]");
  }
}
