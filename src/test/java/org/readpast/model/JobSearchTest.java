package org.readpast.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;

class JobSearchTest {
  @Test
  void all_criteria_of_a_search_are_parsed() {
    JobSearch search =
        JobSearch.parse(
            "queue:mail type:invoice.* state:discarded payload.customer.id:42 error:\"timed out\""
                + " group:account-7 batch:nightly wave:3 uniqueKey:a:b correlationId:c node:n age>1h age<2d");
    assertThat(search.queues()).containsExactly("mail");
    assertThat(search.types()).containsExactly("invoice.*");
    assertThat(search.state()).isEqualTo(JobState.DISCARDED);
    assertThat(search.payload()).isEqualTo(Map.of(List.of("customer", "id"), "42"));
    assertThat(search.error()).isEqualTo("timed out");
    assertThat(search.group()).isEqualTo("account-7");
    assertThat(search.batch()).isEqualTo("nightly");
    assertThat(search.wave()).isEqualTo(3);
    assertThat(search.key()).isEqualTo("a:b");
    assertThat(search.correlation()).isEqualTo("c");
    assertThat(search.nodes()).containsExactly("n");
    assertThat(search.olderThan()).isEqualTo(Duration.ofHours(1));
    assertThat(search.youngerThan()).isEqualTo(Duration.ofDays(2));
  }

  @Test
  void empty_search_matches_all_jobs_and_a_number_is_a_job_id() {
    assertThat(JobSearch.parse("  ")).isEqualTo(JobSearch.ANY);
    assertThat(JobSearch.parse("4711").id()).isEqualTo(4711);
  }

  @Test
  void several_values_of_a_qualifier_are_separated_by_commas() {
    JobSearch search =
        JobSearch.parse(
            "queue:mail,invoices,mail type:a.*,b version:1,2 priority:0,9 node:n1,n2 group:a,b");
    assertThat(search.queues()).containsExactly("mail", "invoices");
    assertThat(search.types()).containsExactly("a.*", "b");
    assertThat(search.versions()).containsExactly(1, 2);
    assertThat(search.priorities()).containsExactly(0, 9);
    assertThat(search.nodes()).containsExactly("n1", "n2");
    assertThat(search.group()).isEqualTo("a,b");
    assertThat(JobSearch.parse("node:\"a, b\"").nodes()).containsExactly("a, b");
  }

  @Test
  void queue_of_the_request_may_only_repeat_the_queue_of_the_search() {
    assertThat(JobSearch.parse("queue:a").and("a", null, null).queues()).containsExactly("a");
    assertThatThrownBy(() -> JobSearch.parse("queue:a,b").and("a", null, null))
        .hasMessageContaining("'queue:a,b' is not valid in a search; the request also has queue=a");
  }

  @Test
  void quoted_string_is_one_value() {
    assertThat(JobSearch.parse("error:\"a \\\"b\\\" c:d\"").error()).isEqualTo("a \"b\" c:d");
  }

  @Test
  void long_quoted_string_is_parsed() {
    String text = "\\\"a".repeat(300);
    assertThat(JobSearch.parse("error:\"" + text + "\"").error()).hasSize(600);
  }

  @Test
  void text_that_cannot_be_searched_is_refused() {
    for (String typed :
        List.of("error:\0x", "uniqueKey:\ud800", "error:\"" + "a".repeat(1_000) + "\"")) {
      assertThatThrownBy(() -> JobSearch.parse(typed))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageContaining("at most 1000 characters");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colour:red | 'colour:red' is not valid in a search; specify state:, queue:",
        "state:dead | 'state:dead' is not valid in a search; a state is one of",
        "age<soon | 'age<soon' is not valid in a search; an age is a number with the unit s, m,"
            + " h or d",
        "wave:x | a wave is a whole number",
        "hello | 'hello' is not valid",
        "queue:a queue:b | 'queue:' is given twice, but a job must match all parts; specify it once, with"
            + " several values as queue:a,b",
        "group:a group:b | 'group:' is given twice, but a job must match all parts; specify it once",
        "queue:a,,b | separate the values by single commas, without spaces",
        "type:a, | 'type:a,' is not valid in a search; separate the values",
        "priority:1,x | 'priority:x' is not valid in a search; a priority is a whole number",
      })
  void error_names_the_invalid_criterion(String typed, String said) {
    assertThatThrownBy(() -> JobSearch.parse(typed))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining(said);
  }

  @Test
  void error_names_contradicting_criteria() {
    JobSearch typed = JobSearch.parse("state:running");
    assertThat(typed.and("q", null, JobState.RUNNING).queues()).containsExactly("q");
    assertThatThrownBy(() -> typed.and(null, null, JobState.COMPLETED))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("state=COMPLETED");
  }
}
