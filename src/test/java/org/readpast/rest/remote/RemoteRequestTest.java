package org.readpast.rest.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.admin.Limits;
import org.readpast.api.JobRejectedException;
import org.readpast.api.ReadpastException;
import org.readpast.api.RemoteJobException;
import org.readpast.api.RemoteJobHandler;
import org.readpast.api.RemoteJobQueue;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;

class RemoteRequestTest {
  private static final Limits LIMITS = Limits.ofPayload(1_000);

  private static RemoteRequest request(Map<String, String> headers) {
    return new RemoteRequest(headers, LIMITS);
  }

  @Test
  void request_has_the_headers_of_the_rest_api() {
    NewJob job =
        request(
                Map.of(
                    "queue", "mail",
                    "priority", "7",
                    "delay", "PT5M",
                    "maxAttempts", "unlimited",
                    "batch", "b",
                    "wave", "2",
                    "after", "3, 4",
                    "predecessorFailure", "RUN",
                    "property.a\"b", "ü"))
            .text("t", "{\"n\": 12345678901234567890.10}");

    assertThat(job.queue()).isEqualTo("mail");
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.delay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(job.maxAttempts()).isEqualTo(-1);
    assertThat(job.dependencies().wave()).isEqualTo(2);
    assertThat(job.dependencies().after()).isEqualTo(List.of(3L, 4L));
    assertThat(job.properties()).isEqualTo("{\"a\\\"b\":\"ü\"}");
    assertThat(job.payload()).isEqualTo("{\"n\": 12345678901234567890.10}");
    assertThat(request(Map.of()).text("t", "1").queue()).isEqualTo("default");
    assertThat(
            request(
                    Map.of(
                        "uniqueKey", "u",
                        "replaceWaiting", "true",
                        "postpone", "PT5S",
                        "latestStart", "PT1M"))
                .text("t", "1")
                .debounce())
        .isEqualTo(new Debounce(true, Duration.ofSeconds(5), Duration.ofMinutes(1)));
  }

  @Test
  void timestamps_are_passed_as_values() {
    NewJob job =
        request(Map.of("at", "2027-01-01T01:00:00+01:00", "expiresAt", "2027-01-02T00:00:00Z"))
            .text("t", "1");
    assertThat(job.at()).isEqualTo(Instant.parse("2027-01-01T00:00:00Z"));
    assertThat(job.expiresAt()).isEqualTo(Instant.parse("2027-01-02T00:00:00Z"));
    assertThat(job.delay()).isNull();
  }

  @Test
  void list_is_held_to_the_limits_of_one_request() {
    RemoteRequest request = new RemoteRequest(Map.of(), new Limits(1_000, 2_000, 10));
    assertThat(request.texts("t", Collections.nCopies(10, "{}"))).hasSize(10);
    assertThatThrownBy(() -> request.texts("t", Collections.nCopies(11, "{}")))
        .isInstanceOf(JobRejectedException.class)
        .hasMessage("payloads are 11 in one call; specify a list of up to 10");
    assertThatThrownBy(() -> request.texts("t", null)).isInstanceOf(JobRejectedException.class);
    String large = "\"" + "x".repeat(900) + "\"";
    assertThatThrownBy(() -> request.texts("t", List.of(large, large, large)))
        .hasMessageContaining("more than 2000 bytes in total");
  }

  @Test
  void content_is_stored_according_to_its_type() {
    NewJob text = request(Map.of("contentType", "text/csv")).text("t", "a\"b");
    NewJob bytes = request(Map.of("contentType", "image/png")).bytes("t", "ab".getBytes(UTF_8));
    assertThat(text.payload()).isEqualTo("\"a\\\"b\"");
    assertThat(bytes.payload()).isEqualTo("\"YWI=\"");
    assertThat(bytes.contentType()).isEqualTo("image/png");
  }

  @Test
  void error_names_the_broken_rule() {
    refused(Map.of("priority", "high"), "{}", "priority is");
    refused(Map.of("colour", "red"), "{}", "field 'colour' is unknown; known fields: ");
    refused(Map.of("prioriti", "7"), "{}", "did you mean 'priority'? known fields: ");
    refused(
        Map.of("delay", "PT1S", "at", "2027-01-01T00:00:00Z"),
        "{}",
        "at is 2027-01-01T00:00:00Z; delay is given as well");
    refused(
        Map.of("expiresIn", "PT1S", "expiresAt", "2027-01-01T00:00:00Z"),
        "{}",
        "expiresAt is 2027-01-01T00:00:00Z; expiresIn is given as well");
    refused(Map.of("at", "tomorrow"), "{}", "at is 'tomorrow'; specify a time such as");
    refused(Map.of("after", "1,x"), "{}", "after is '1,x'");
    refused(Map.of("type", "other"), "{}", "'type' is not a header");
    refused(Map.of("properties", "{\"a\": \"b\"}"), "{}", "property.<name>");
    refused(Map.of(), "{", "payload");
    refused(Map.of(), "1, \"type\": \"other\"", "payload");
    refused(Map.of(), null, "payload is null");
    refused(Map.of(), "\"" + "x".repeat(1_001) + "\"", "larger than 1000 bytes");
    Map<String, String> withNull = new HashMap<>();
    withNull.put("queue", null);
    refused(withNull, "{}", "header queue is null");
    assertThatThrownBy(() -> request(Map.of()).bytes("t", new byte[1]))
        .hasMessageContaining("contentType");
    assertThatThrownBy(() -> request(null).text(null, "{}"))
        .hasMessageContaining("type is missing");
  }

  private static void refused(Map<String, String> headers, String payload, String message) {
    assertThatThrownBy(() -> request(headers).text("t", payload))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining(message);
  }

  @Test
  void remote_calls_use_only_types_of_the_jdk() {
    Set<Class<?>> portable =
        Set.of(
            String.class,
            long.class,
            int.class,
            boolean.class,
            void.class,
            byte[].class,
            List.class,
            Map.class);
    for (Class<?> type : List.of(RemoteJobQueue.class, RemoteJobHandler.class)) {
      for (Method method : type.getMethods()) {
        assertThat(portable).contains(method.getReturnType()).contains(method.getParameterTypes());
        assertThat(method.getExceptionTypes()).containsExactly(RemoteJobException.class);
      }
    }
  }
}
