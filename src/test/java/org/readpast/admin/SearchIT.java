package org.readpast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.admin.Bulk.Action;
import org.readpast.admin.Bulk.Change;
import org.readpast.admin.store.JobFacets;
import org.readpast.admin.store.JobFacets.Facet;
import org.readpast.admin.store.JobSearches;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobRejectedException;
import org.readpast.api.JobState;
import org.readpast.model.JobSearch;
import org.readpast.model.SearchOrder;

/** Tests job searches, and actions on all jobs that match a search. */
class SearchIT {
  private static final int MANY = 120_000;

  private final Operator operator = new Operator();

  @BeforeEach
  void fill() {
    operator.database.execute(
        """
        insert into readpast_queue (name) values ('q'), ('mail');
        insert into readpast_node (id, name, version, lease_ms, queues, types)
          values ('11111111-2222-3333-4444-555555555555', 'n1', '1', 10000, '{}', '{}');
        insert into readpast_batch (name, on_failure) values ('nightly', 'HOLD');
        insert into readpast_job (id, queue, type, state, position, available_at, enqueued_at, payload, batch, wave,
          group_key, unique_key, correlation_id)
          select i, case when i % 2 = 0 then 'q' else 'mail' end, 'a.' || i, 'AVAILABLE', i, clock_timestamp(),
            clock_timestamp() - i * interval '1 hour',
            json_build_object('n', i, 'deep', json_build_object('big', 90071992547409930 + i), 'a.b', 'x'),
            case when i <= 2 then 1 end, case when i <= 2 then i end, 'g' || i, 'k' || i, 'c' || i
          from generate_series(1, 4) i;
        update readpast_job set priority = 9 where id = 2;
        update readpast_job set properties = '{"tenant":"acme","region":"eu"}' where id = 1;
        update readpast_job set properties = '{"tenant":"acme"}' where id = 3;
        insert into readpast_job_history (id, queue, type, state, available_at, enqueued_at, claim_no, attempt,
          uncounted, crashes, priority, payload, node)
          select i, 'q', 'known', 'DISCARDED', clock_timestamp(), clock_timestamp(), 1, 5, 0, 0, 4,
            json_build_object('n', i), 1
          from generate_series(5, 8) i;
        insert into readpast_failure (job_id, attempt, kind, exception, message)
          select i, 1, 'FAILED', 'java.net.SocketException', 'timed out after 100% of ' || i from generate_series(5, 7) i;
        select setval('readpast_job_id', 100);
        """);
  }

  @AfterEach
  void leave() {
    operator.close();
  }

  private List<Long> found(String typed) {
    return operator
        .browser
        .jobs(JobSearch.parse(typed), SearchOrder.NEWEST, null, 100)
        .jobs()
        .stream()
        .map(JobView::id)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "queue:mail | 3 1",
        "queue:mail,q | 8 7 6 5 4 3 2 1",
        "queue:mail,other | 3 1",
        "type:a.* | 4 3 2 1",
        "type:a.3,a.1 | 3 1",
        "type:kn*,a.1 | 8 7 6 5 1",
        "type:a_* | ''",
        "priority:9,0 | 2",
        "version:1,2 type:a.* | 4 3 2 1",
        "version:2,3 | ''",
        "node:n1,n2 | 8 7 6 5",
        "type:a.3 | 3",
        "state:discarded | 8 7 6 5",
        "state:completed | ''",
        "payload.n:6 | 6",
        "payload.deep.big:90071992547409933 | 3",
        "payload.n:6 state:available | ''",
        "error:\"timed out\" | 7 6 5",
        "error:socketexception | 7 6 5",
        "error:\"100% of 6\" | 6",
        "error:\"100_ of 6\" | ''",
        "group:g2 | 2",
        "batch:nightly | 2 1",
        "batch:nightly wave:2 | 2",
        "batch:other | ''",
        "uniqueKey:k4 | 4",
        "correlationId:c1 | 1",
        "node:n1 | 8 7 6 5",
        "node:11111111-2222-3333-4444-555555555555 | 8 7 6 5",
        "age>90m | 4 3 2",
        "age<90m | 8 7 6 5 1",
        "7 | 7",
        "7 state:available | ''",
        "priority:4 type:a.* | 4 3 1",
        "priority:9 | 2",
        "property.tenant:acme | 3 1",
        "property.tenant:acme property.region:eu | 1",
        "property.region:us | ''",
      })
  void each_criterion_excludes_jobs_that_do_not_match(String typed, String ids) {
    assertThat(String.join(" ", found(typed).stream().map(String::valueOf).toList()))
        .isEqualTo(ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 1 2 3 4 5 6 7 8",
        "queue:mail | 1 3",
        "state:discarded | 5 6 7 8",
        "batch:nightly | 1 2",
        "7 | 7",
      })
  void jobs_are_listed_from_the_oldest_to_the_newest_page_by_page(String typed, String ids) {
    List<String> all = new ArrayList<>();
    Long after = null;
    do {
      var page = operator.browser.jobs(JobSearch.parse(typed), SearchOrder.OLDEST, after, 3);
      assertThat(page.jobs()).hasSizeLessThanOrEqualTo(3);
      page.jobs().forEach(job -> all.add(String.valueOf(job.id())));
      after = page.next();
    } while (after != null);
    assertThat(String.join(" ", all)).isEqualTo(ids);
  }

  @Test
  void facets_count_the_values_of_the_jobs_that_match() {
    JobFacets all = operator.browser.facets(JobSearch.ANY);
    assertThat(all.jobs()).isEqualTo(8);
    assertThat(all.complete()).isTrue();
    assertThat(all.queues()).containsExactly(new Facet("q", 6), new Facet("mail", 2));
    assertThat(all.types()).startsWith(new Facet("known", 4)).hasSize(5);
    assertThat(all.states()).containsExactly(new Facet("AVAILABLE", 4), new Facet("DISCARDED", 4));
    assertThat(all.priorities()).containsExactly(new Facet("4", 7), new Facet("9", 1));
    assertThat(all.nodes()).containsExactly(new Facet("n1", 4));
    assertThat(all.properties())
        .containsExactly(
            entry("region", List.of(new Facet("eu", 1))),
            entry("tenant", List.of(new Facet("acme", 2))));

    JobFacets some = operator.browser.facets(JobSearch.parse("queue:mail state:available"));
    assertThat(some.queues()).containsExactly(new Facet("mail", 2));
    assertThat(some.nodes()).isEmpty();
    assertThat(some.properties()).containsOnlyKeys("region", "tenant");
  }

  @Test
  void facets_of_many_jobs_cost_no_more_than_a_search() {
    operator.database.execute(
        """
        insert into readpast_job_history (id, queue, type, state, available_at, enqueued_at, claim_no, attempt,
          uncounted, crashes, priority, payload, properties)
          select i, 'q' || i %% 7, 'known', 'COMPLETED', clock_timestamp(), clock_timestamp(), 1, 1, 0, 0, 4, '{}',
            json_build_object('order', i, 'tenant', i %% 3)
          from generate_series(1000, 1000 + %d) i"""
            .formatted(MANY));
    long begun = System.nanoTime();
    JobFacets facets = operator.browser.facets(JobSearch.ANY);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    assertThat(facets.complete()).isFalse();
    assertThat(facets.jobs()).isBetween(2_000L, (long) MANY);
    assertThat(facets.queues()).hasSize(7);
    assertThat(facets.properties().get("tenant")).hasSize(3);
    assertThat(facets.properties().get("order")).hasSize(10);
  }

  @Test
  void undecodable_entries_of_properties_are_skipped() {
    operator.database.execute(
        """
        update readpast_job set properties = '{"region":"e\\u0000u","tenant":"\\ud800acme"}' where id in (2, 3)""");
    assertThat(operator.browser.facets(JobSearch.ANY).properties())
        .containsEntry("region", List.of(new Facet("eu", 3)))
        .containsEntry("tenant", List.of(new Facet("acme", 3)));
    assertThat(found("property.region:eu")).containsExactly(3L, 2L, 1L);
  }

  @Test
  void encrypted_properties_are_no_facets() {
    operator.database.execute(
        """
        update readpast_job set properties = '{"readpast:encrypted":"k1:AAAA"}' where id in (1, 3)""");
    assertThat(operator.browser.facets(JobSearch.ANY).properties()).isEmpty();
  }

  @Test
  void undecodable_payload_does_not_prevent_the_search_of_other_jobs() {
    operator.database.execute(
        """
        insert into readpast_job (id, queue, type, state, position, available_at, payload) values
          (51, 'q', 't', 'AVAILABLE', 51, clock_timestamp(), '{"s": "\\ud800", "t": "half"}'),
          (52, 'q', 't', 'AVAILABLE', 52, clock_timestamp(), '{"s\\u0000": "x", "t": "nul"}'),
          (53, 'q', 't', 'AVAILABLE', 53, clock_timestamp(), '{"s": "\\ude00\\ud83d", "t": "turned"}'),
          (54, 'q', 't', 'AVAILABLE', 54, clock_timestamp(), '{"s": "\\ud83d\\ude00", "t": "whole"}'),
          (55, 'q', 't', 'AVAILABLE', 55, clock_timestamp(), '{"s": "C:\\\\u0000", "t": "escaped"}'),
          (56, 'q', 't', 'AVAILABLE', 56, clock_timestamp(), '{"s": "\\ud83d\\\\ude00", "t": "both"}'),
          (57, 'q', 't', 'AVAILABLE', 57, clock_timestamp(), '{"s": "\\\\\\u0000\\n", "t": "three"}')""");
    assertThat(found("payload.n:1")).containsExactly(1L);
    assertThat(found("payload.t:half")).containsExactly(51L);
    assertThat(found("payload.t:nul")).containsExactly(52L);
    assertThat(found("payload.t:turned")).containsExactly(53L);
    assertThat(found("payload.s:\ud83d\ude00")).containsExactly(54L);
    assertThat(found("payload.s:\"C:\\\\u0000\"")).containsExactly(55L);
    assertThat(found("payload.t:both")).containsExactly(56L);
    assertThat(found("payload.t:three")).containsExactly(57L);
  }

  @Test
  void large_undecodable_payloads_are_searched_in_time() {
    operator.database.execute(
        """
        insert into readpast_job (id, queue, type, state, position, available_at, payload)
        select 60 + i, 'q', 't', 'AVAILABLE', 60 + i, clock_timestamp(),
          cast('{"s": "' || repeat('\\u0000', 170000) || '"}' as json) from generate_series(1, 2) i""");
    assertThat(found("payload.n:1")).containsExactly(1L);
  }

  @Test
  void slow_search_is_ended() throws SQLException {
    try (Connection other = operator.database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table readpast_job_history in access exclusive mode");
      assertThatThrownBy(() -> found("queue:mail"))
          .isInstanceOf(JobRejectedException.class)
          .hasMessageContaining("narrow it by queue, type or state");
    }
  }

  @Test
  void search_result_contains_the_last_failure() {
    var found =
        operator.browser.jobs(JobSearch.parse("state:discarded"), SearchOrder.NEWEST, null, 100);
    assertThat(found.failures().get(6L))
        .isEqualTo("java.net.SocketException: timed out after 100% of 6");
    assertThat(found.failures()).doesNotContainKey(8L);
  }

  @Test
  void matching_jobs_are_counted_by_state() {
    var counts = operator.browser.counts(JobSearch.parse("queue:q"));
    assertThat(counts)
        .containsEntry(JobState.AVAILABLE, new JobSearches.Count(2, true))
        .containsEntry(JobState.DISCARDED, new JobSearches.Count(4, true))
        .containsEntry(JobState.COMPLETED, new JobSearches.Count(0, true))
        .hasSize(JobState.values().length);
    assertThat(operator.browser.totals().get(JobState.AVAILABLE).count()).isEqualTo(4);
    assertThat(operator.browser.totals().get(JobState.DISCARDED).exact()).isTrue();
  }

  @Test
  void scheduled_and_blocked_jobs_are_found_among_many_other_jobs() {
    operator.database.execute(
        "insert into readpast_job (id, queue, type, state, available_at, payload, waits_for) select"
            + " 50 + i, 'q', 'known', case i when 1 then 'SCHEDULED' else 'BLOCKED' end,"
            + " clock_timestamp() + interval '1 day', '{}', case i when 2 then 'WAVE' when 3 then"
            + " 'GROUP' when 4 then 'PREDECESSOR' end from generate_series(1, 4) i");
    operator.database.execute(
        "insert into readpast_predecessor (job_id, predecessor_id, on_failure) values (54, 1, 'HOLD')");
    operator.database.execute(
        "insert into readpast_job (id, queue, type, state, position, available_at, payload)"
            + " select 1000 + i, 'q', 'known', 'AVAILABLE', 1000 + i, clock_timestamp(), '{}' from"
            + " generate_series(1, "
            + MANY
            + ") i");
    assertThat(found("state:scheduled")).containsExactly(51L);
    assertThat(found("state:blocked")).containsExactly(54L, 53L, 52L);
    var queue =
        operator.browser.queues().stream()
            .filter(view -> view.settings().name().equals("q"))
            .findFirst()
            .orElseThrow();
    assertThat(queue.counts())
        .containsEntry(JobState.SCHEDULED, 1L)
        .containsEntry(JobState.BLOCKED, 3L)
        .containsEntry(JobState.AVAILABLE, 10_000L);
    assertThat(queue.atLeast()).containsExactly(JobState.AVAILABLE);
  }

  @Test
  void blocked_jobs_with_many_predecessors_are_all_found() {
    operator.database.execute(
        """
        insert into readpast_job (id, queue, type, state, available_at, payload, waits_for)
          select i, 'q', 'known', 'BLOCKED', clock_timestamp(), '{}', 'PREDECESSOR'
          from generate_series(1001, 1030) i;
        insert into readpast_predecessor (job_id, predecessor_id, on_failure)
          select i, 2000 + p, 'HOLD' from generate_series(1001, 1030) i, generate_series(1, 1000) p""");
    JobSearch blocked = JobSearch.parse("state:blocked");
    assertThat(found("state:blocked")).hasSize(30);
    assertThat(operator.browser.counts(blocked))
        .containsEntry(JobState.BLOCKED, new JobSearches.Count(30, true));
    var result = operator.bulk.applyToMatching(new Change(Action.CANCEL, null), blocked, null);
    assertThat(result.found()).isEqualTo(30);
  }

  @Test
  void reset_applies_to_matching_jobs_only() {
    var result =
        operator.bulk.applyToMatching(
            new Change(Action.RESET, null), JobSearch.parse("error:\"timed out\""), null);
    assertThat(result.changed()).isEqualTo(3);
    assertThat(result.next()).isNull();
    assertThat(
            operator.value(
                "select string_agg(id || state, ' ' order by id) from readpast_job where id > 4"))
        .isEqualTo("5AVAILABLE 6AVAILABLE 7AVAILABLE");
    assertThat(found("state:discarded")).containsExactly(8L);
    assertThat(operator.signals).contains("available [q]");
  }

  @Test
  void bulk_cancellation_cancels_waiting_jobs_and_skips_ended_jobs() {
    var result = operator.bulk.applyTo(new Change(Action.CANCEL, null), List.of(1L, 2L, 5L));
    assertThat(result.changed()).isEqualTo(2);
    assertThat(result.found()).isEqualTo(3);
    assertThat(found("state:cancelled")).containsExactly(2L, 1L);
  }
}
