package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.api.JobState;
import org.readpast.model.Principal;
import org.readpast.model.RetentionRules;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests that jobs of one claim end together, even if they have different requirements. */
class JobEndStoreIT {
  private static final int NODE = 7;
  private static final long BYTES = 1_000_000;
  private static final List<String> JOBS =
      List.of("plain", "alike", "again", "followed", "in a batch", "lost", "answers", "expired");

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final List<JobEnd> reported = new ArrayList<>();
  private final AtomicInteger awaited = new AtomicInteger();
  private boolean kept;
  private Map<String, ClaimedJob> jobs = Map.of();

  @BeforeEach
  void lease_jobs_of_each_kind() {
    for (String job : JOBS) {
      database.execute(
          """
          insert into readpast_job (queue, type, state, position, available_at, claim_no, correlation_id, batch,
            wave, enqueued_by, payload)
          select 'q', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(),
            case '%1$s' when 'again' then 4 else 0 end, '%1$s', case '%1$s' when 'in a batch' then 1 end,
            case '%1$s' when 'in a batch' then 0 end, case '%1$s' when 'alike' then 'ann' end, '{}'"""
              .formatted(job));
    }
    jobs =
        lease("q", 500).stream()
            .collect(Collectors.toMap(ClaimedJob::correlationId, Function.identity()));
    assertThat(jobs.keySet()).containsExactlyInAnyOrderElementsOf(JOBS);
    database.execute(
        "insert into readpast_predecessor (job_id, predecessor_id, on_failure) values (1000, "
            + jobs.get("followed").id()
            + ", 'RUN'); update readpast_job set claim_no = claim_no + 1 where correlation_id = 'lost'");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private List<ClaimedJob> lease(String queue, int most) {
    return new Claims(transactions)
        .lease(
            queue,
            List.of(new Lane("t", 4, 0, 1)),
            new Claims.ClaimBounds(
                most, BYTES, Duration.ofMinutes(1), Duration.ofMinutes(1), List.of()),
            NODE)
        .jobs();
  }

  private EndedJob ended(ClaimedJob job) {
    return switch (job.correlationId()) {
      case "answers" -> EndedJob.succeeded(job, "42");
      case "expired" -> EndedJob.of(job, JobState.EXPIRED);
      default -> EndedJob.succeeded(job, null);
    };
  }

  private JobEndStore jobEnds() {
    JobEndListener listener =
        new JobEndListener() {
          @Override
          public RetentionRules retention() {
            return RetentionRules.of(kept ? Map.of() : Map.of(JobState.COMPLETED, Duration.ZERO));
          }

          @Override
          public boolean wants(JobState state, String queue, String type) {
            return true;
          }

          @Override
          public void ended(List<JobEnd> jobs) {
            reported.addAll(jobs);
          }
        };
    return new JobEndStore(
        transactions,
        awaited::incrementAndGet,
        new ReleaseStore(transactions, () -> {}, lanes -> {}),
        listener);
  }

  private void endAll() {
    List<EndedJob> all = jobs.values().stream().map(this::ended).toList();
    Set<Long> owned =
        new HashSet<>(transactions.autoCommit(() -> jobEnds().completeAlike(all, false)));
    List<EndedJob> others = EndedJob.without(all, owned);
    owned.addAll(transactions.autoCommit(() -> jobEnds().endLeased(others, NODE, false)));
    assertThat(owned).hasSize(JOBS.size() - 1).doesNotContain(jobs.get("lost").id());
    assertThat(reported.stream().map(JobEnd::id)).containsExactlyInAnyOrderElementsOf(owned);
    assertThat(TestDatabase.column(database, "select correlation_id from readpast_job"))
        .containsExactly("lost");
    assertThat(
            TestDatabase.column(
                database,
                "select unnest(coalesce(jobs, array[job_id])) from readpast_dependency_event"))
        .containsExactlyInAnyOrder(
            Long.toString(jobs.get("followed").id()), Long.toString(jobs.get("in a batch").id()));
  }

  private List<String> history(String columns) {
    return TestDatabase.column(
        database,
        "select concat_ws(' ', correlation_id, "
            + columns
            + ") from readpast_job_history order by id");
  }

  @Test
  void jobs_with_retention_are_stored_in_the_history() {
    kept = true;
    endAll();
    assertThat(history("state, node, attempt, claim_no, enqueued_by, result"))
        .containsExactly(
            "plain COMPLETED 7 1 1",
            "alike COMPLETED 7 1 1 ann",
            "again COMPLETED 7 1 5",
            "followed COMPLETED 7 1 1",
            "in a batch COMPLETED 7 1 1",
            "answers COMPLETED 7 1 1 42",
            "expired EXPIRED 7 0 1");
    assertThat(history("extract(epoch from started_at) * 1000000"))
        .filteredOn(line -> !line.equals("expired"))
        .hasSize(JOBS.size() - 2)
        .allSatisfy(
            line -> {
              ClaimedJob job = jobs.get(line.substring(0, line.lastIndexOf(' ')));
              assertThat(line)
                  .endsWith(
                      " " + ChronoUnit.MICROS.between(Instant.EPOCH, job.startedAt()) + ".000000");
            });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void job_that_expires_at_its_claim_has_made_no_attempt_for_it(boolean alsoNext) {
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, attempt, group_key, correlation_id, payload)
        select 'late', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), i, 'g' || i, 'after ' || i, '{}'
        from generate_series(0, 2) i""");
    List<EndedJob> expired =
        lease("late", 3).stream().map(job -> EndedJob.of(job, JobState.EXPIRED)).toList();

    transactions.requiresNewUnbounded(
        () ->
            alsoNext
                ? jobEnds()
                    .endLeasedAndLeaseNext(expired, NODE, Duration.ofMinutes(1), null, 1, BYTES)
                    .owned()
                : jobEnds().endLeased(expired, NODE, false));

    assertThat(history("state, attempt, coalesce(cast(started_at as text), 'not started')"))
        .containsExactly(
            "after 0 EXPIRED 0 not started",
            "after 1 EXPIRED 1 not started",
            "after 2 EXPIRED 2 not started");
    assertThat(reported).extracting(JobEnd::attempt).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void without_retention_only_failures_are_in_the_history() {
    endAll();
    assertThat(history("state")).containsExactly("expired EXPIRED");
  }

  @ParameterizedTest(name = "kept {0}")
  @ValueSource(booleans = {false, true})
  void jobs_that_end_one_by_one_leave_the_same_rows_as_jobs_that_end_together(boolean keptToo) {
    kept = keptToo;
    endAll();
    List<String> together = rowsAfterEnds();
    database.execute(
        "delete from readpast_job; delete from readpast_job_history; delete from readpast_predecessor;"
            + " delete from readpast_dependency_event");
    reported.clear();
    int awaitedTogether = awaited.getAndSet(0);

    lease_jobs_of_each_kind();
    List<String> lost = new ArrayList<>();
    for (ClaimedJob job : jobs.values()) {
      transactions
          .requiresNew(() -> jobEnds().endInTransaction(List.of(ended(job)), NODE))
          .forEach(end -> lost.add(end.job().correlationId()));
    }

    assertThat(lost).containsExactly("lost");
    assertThat(rowsAfterEnds()).containsExactlyElementsOf(together);
    assertThat(reported).hasSize(JOBS.size() - 1);
    assertThat(awaitedTogether).isEqualTo(2);
    assertThat(awaited).hasValue(2);
  }

  private List<String> rowsAfterEnds() {
    return TestDatabase.column(
        database,
        """
        select to_jsonb(r) - '{id, jobs, job_id, event_id, enqueued_at, available_at, started_at, ended_at, created_at,
          kept_until}'::text[] || jsonb_build_object('table', source) from (
          select 'job' as source, to_jsonb(j) as r from (select correlation_id, state from readpast_job) j
          union all select 'history', to_jsonb(h) from readpast_job_history h
          union all select 'event', to_jsonb(e) from readpast_dependency_event e) t order by 1""");
  }

  @ParameterizedTest(name = "kept {0}, quiet {1}")
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void jobs_of_a_wave_end_together_and_wake_the_resolver_unless_deferred(
      boolean keptToo, boolean quiet) {
    kept = keptToo;
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, batch, wave, group_key, correlation_id,
          payload)
        select 'b', 't', 'AVAILABLE', nextval('readpast_position'), clock_timestamp(), 5, 2,
          case when i = 4 then 'g' end, i, '{}' from generate_series(1, 4) i""");
    List<EndedJob> all = lease("b", 4).stream().map(job -> EndedJob.succeeded(job, null)).toList();

    Set<Long> owned = transactions.autoCommit(() -> jobEnds().completeAlike(all, quiet));

    assertThat(owned).hasSize(3);
    assertThat(reported).extracting(JobEnd::correlationId).containsExactly("1", "2", "3");
    assertThat(awaited).hasValue(quiet ? 0 : 1);
    assertThat(
            TestDatabase.column(
                database,
                "select concat_ws(' ', event, state, queue, batch, wave, counted, cardinality(jobs))"
                    + " from readpast_dependency_event"))
        .containsExactly("ENDED COMPLETED b 5 2 t 3");
    assertThat(history("state")).hasSize(keptToo ? 3 : 0);
    assertThat(
            TestDatabase.column(database, "select group_key from readpast_job where queue = 'b'"))
        .containsExactly("g");
  }

  @Test
  void leased_job_has_all_data_that_its_end_requires() {
    assertThat(jobs.get("plain").batch()).isNull();
    assertThat(jobs.get("in a batch").group()).isNull();
    assertThat(jobs.get("in a batch").batch()).isEqualTo(1);
    assertThat(jobs.get("alike").enqueuedBy()).isEqualTo(Principal.of("ann", Set.of()));
    assertThat(jobs.get("plain").enqueuedBy()).isEqualTo(Principal.NOBODY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void next_of_a_group_is_leased_at_any_distance(boolean keptToo) {
    kept = keptToo;
    database.execute(
        """
        insert into readpast_job (queue, type, state, position, available_at, group_key, waits_for, correlation_id,
          payload)
        select 'far', 't', case when waits then 'BLOCKED' else 'AVAILABLE' end,
          case when not waits then nextval('readpast_position') end, clock_timestamp(),
          case when i % 500 = 0 then 'g' else 'g' || i end, case when waits then 'GROUP' end, i, '{}'
        from generate_series(0, 1000) i cross join lateral (select i in (500, 1000) as waits) w order by i""");
    List<String> worked = new ArrayList<>();
    List<ClaimedJob> next = lease("far", 1);
    ClaimedJob last = next.get(0);
    while (!next.isEmpty()) {
      last = next.get(0);
      worked.add(last.correlationId());
      EndedJob ended = EndedJob.succeeded(last, null);
      Long through = last.lease();
      next =
          transactions.requiresNewUnbounded(
              () ->
                  jobEnds()
                      .endLeasedAndLeaseNext(
                          List.of(ended), NODE, Duration.ofMinutes(1), through, 1, BYTES)
                      .next());
    }

    assertThat(worked).containsExactly("0", "500", "1000");
    assertThat(TestDatabase.column(database, "select unnest(jobs) from readpast_dependency_event"))
        .as("only the end of the last job is an event")
        .containsExactly(Long.toString(last.id()));
  }
}
