package org.readpast.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.Limits;
import org.readpast.api.JobRequest;
import org.readpast.api.ReadpastException;
import org.readpast.model.Debounce;
import org.readpast.model.NewJob;
import org.readpast.rest.http.JsonText;

class JobRequestsTest {
  private final JobRequests requests = new JobRequests("mail", new Limits(100, 10_000, 3));

  private NewJob one(String json) {
    return requests.one(JsonText.parse(json));
  }

  @Test
  void every_field_is_read() {
    NewJob job =
        one(
            "{\"type\":\"t\",\"payload\":{\"n\":"
                + " 1.10},\"priority\":7,\"delay\":\"PT5M\",\"expiresIn\":\"P1D\","
                + "\"uniqueKey\":\"u\",\"correlationId\":\"c\",\"maxAttempts\":3,\"properties\":{\"a\":\"ü\"}}");
    assertThat(job)
        .isEqualTo(
            new NewJob(
                "mail",
                "t",
                7,
                Duration.ofMinutes(5),
                null,
                Duration.ofDays(1),
                null,
                "u",
                "c",
                "{\"a\":\"ü\"}",
                3,
                "{\"n\": 1.10}"));
  }

  @Test
  void absent_and_null_fields_have_the_default() {
    NewJob expected =
        new NewJob("mail", "t", 4, null, null, null, null, null, null, null, null, "1");
    assertThat(one("{\"type\":\"t\",\"payload\":1}")).isEqualTo(expected);
    assertThat(
            one(
                "{\"type\":\"t\",\"payload\":1,\"priority\":null,\"delay\":null,\"properties\":{}}"))
        .isEqualTo(expected);
  }

  @Test
  void request_replaces_and_postpones_a_waiting_job() {
    NewJob job =
        one(
            "{\"type\":\"t\",\"payload\":1,\"uniqueKey\":\"u\",\"replaceWaiting\":true,"
                + "\"postpone\":\"PT5S\",\"latestStart\":\"PT1M\"}");
    assertThat(job.debounce())
        .isEqualTo(new Debounce(true, Duration.ofSeconds(5), Duration.ofMinutes(1)));
    assertThat(job.delay()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void unlimited_is_written_as_a_word_or_as_minus_one() {
    for (String given : new String[] {"-1", "\"unlimited\""}) {
      assertThat(one("{\"type\":\"t\",\"payload\":1,\"maxAttempts\":" + given + "}").maxAttempts())
          .isEqualTo(JobRequest.UNLIMITED);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"payload":1}                                        | type is missing
          {"type":"t"}                                         | payload is missing
          {"type":"t","payload":null}                          | payload is missing
          {"type":5,"payload":1}                               | type is 5; specify a string
          {"type":"a b","payload":1}                           | job type 'a b' is not a valid name
          {"type":"t","payload":1,"prio":1}                    | field 'prio' is unknown
          {"type":"t","payload":1,"priority":10}               | priority is 10
          {"type":"t","payload":1,"priority":1.0}              | priority is 1.0; specify a whole number
          {"type":"t","payload":1,"priority":99999999999}      | priority is 99999999999
          {"type":"t","payload":1,"priority":1e1000000}        | priority is 1e1000000
          {"type":"t","payload":1,"delay":5}                   | delay is 5; specify a string
          {"type":"t","payload":1,"delay":"5 min"}             | specify an ISO-8601 duration
          {"type":"t","payload":1,"delay":"PT-5S"}             | delay is PT-5S
          {"type":"t","payload":1,"delay":"PT9999999999999H"}  | delay is
          {"type":"t","payload":1,"maxAttempts":0}             | maxAttempts is 0
          {"type":"t","payload":1,"maxAttempts":"many"}        | maxAttempts is "many"
          {"type":"t","payload":1,"uniqueKey":""}              | uniqueKey is ''
          {"type":"t","payload":1,"uniqueKey":"\\u0000"}       | uniqueKey is '?'
          {"type":"t","payload":1,"replaceWaiting":true}       | uniqueKey is null; replaceWaiting and postpone
          {"type":"t","payload":1,"uniqueKey":"u","replaceWaiting":1} | replaceWaiting is 1; specify true or false
          {"type":"t","payload":1,"uniqueKey":"u","postpone":"PT5S"} | specify both or neither
          {"type":"t","payload":1,"uniqueKey":"u","postpone":"PT5S","latestStart":"PT1S"} | latestStart is PT1S
          {"type":"t","payload":1,"uniqueKey":"u","postpone":"PT5S","latestStart":"PT9S","delay":"PT1S"} | leave out delay
          {"type":"t","payload":1,"uniqueKey":"u","group":"g","replaceWaiting":true} | leave out group
          {"type":"t","payload":1,"correlationId":"\\ud800"}   | correlationId is
          {"type":"t","payload":1,"properties":[]}             | properties is []
          {"type":"t","payload":1,"properties":{"a":1}}        | property 'a' is 1
          {"type":"t","payload":1,"properties":{"a\\u0000":""}} | property name 'a?'
          {"type":"t","payload":1,"properties":{"":"b"}}       | property name '' is not allowed
          {"type":"t","payload":1,"properties":{"a":"\\u0000"}} | property 'a' contains NUL
          {"type":"t","payload":1,"properties":{"readpast.th\\u0065n":"t"}} | property 'readpast.then' is reserved for the engine
          {"type":"t","payload":1,"payload":2}                 | 'payload' is given twice
          "t"                                                  | a job must be a JSON object
          """)
  void error_names_the_broken_rule(String json, String message) {
    assertThatThrownBy(() -> one(json))
        .isInstanceOf(ReadpastException.class)
        .hasMessageContaining(message);
  }

  @Test
  void payload_size_is_measured_in_bytes() {
    assertThat(one("{\"type\":\"t\",\"payload\":\"" + "ü".repeat(49) + "\"}")).isNotNull();
    assertThatThrownBy(() -> one("{\"type\":\"t\",\"payload\":\"" + "ü".repeat(50) + "\"}"))
        .hasMessageContaining("payload is larger than 100 bytes");
  }

  @Test
  void error_in_an_array_names_the_index() {
    assertThatThrownBy(
            () ->
                requests.all(
                    JsonText.parse(
                        "[{\"type\":\"t\",\"payload\":1},{\"type\":\"t\",\"payload\":1,\"priority\":-1}]")))
        .hasMessageContaining("job 1 (the first is 0): priority is -1");
    assertThatThrownBy(() -> requests.all(JsonText.parse("[1,2,3,4]")))
        .hasMessageContaining("at most 3");
    assertThatThrownBy(() -> requests.all(JsonText.parse("[ ]"))).hasMessageContaining("empty");
  }
}
