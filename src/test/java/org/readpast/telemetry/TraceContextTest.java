package org.readpast.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the properties of a job contain the trace of its enqueue. */
class TraceContextTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      nullValues = "null",
      value = {
        "null, |{\"traceparent\":\"00-a-b-01\",\"tracestate\":\"x=\\\"\\\\\"}|",
        "{}, |{\"traceparent\":\"00-a-b-01\",\"tracestate\":\"x=\\\"\\\\\"}|",
        "| { \"a\":\"b\" } |,"
            + " |{\"traceparent\":\"00-a-b-01\",\"tracestate\":\"x=\\\"\\\\\",\"a\":\"b\"}|",
        "|{\"tracestate\":\"own\"}|,"
            + " |{\"traceparent\":\"00-a-b-01\",\"tracestate\":\"x=\\\"\\\\\"}|",
        "{\"tracepar\\u0065nt\":\"own\"}, {\"tracepar\\u0065nt\":\"own\"}",
        "{\"traceparent\":\"own\"}, {\"traceparent\":\"own\"}"
      })
  void properties_carry_the_trace_unless_they_already_have_a_trace(String before, String after) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("traceparent", "00-a-b-01");
    headers.put("tracestate", "x=\"\\");
    assertThat(TraceContext.added(before, headers)).isEqualTo(after);
    assertThat(TraceContext.added(before, Map.of())).isEqualTo(before);
  }
}
