package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.sql.SearchSql;
import org.readpast.admin.store.ReasonReads;
import org.readpast.api.JobState;
import org.readpast.dependency.AlikeJobs;
import org.readpast.dependency.DependencyStore;
import org.readpast.dependency.DependencyStore.Group;
import org.readpast.model.RetentionRules;
import org.readpast.retention.RetentionStore;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests the statement that ends the only running job of a group and leases the next job. */
class GroupClaimsIT {
  private static final int NODE = 7;
  private static final long BYTES = 1_000_000;
  private static final Duration ALLOWED = Duration.ofMinutes(1);

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final ReleaseStore releases = new ReleaseStore(transactions, () -> {}, lanes -> {});
  private final JobEndStore jobEnds =
      new JobEndStore(
          transactions,
          () -> {},
          releases,
          JobEndListener.keeping(RetentionRules.of(Map.of(JobState.COMPLETED, Duration.ZERO))));

  /** Group g has the AVAILABLE job 10, and the BLOCKED jobs 20 to 50. */
  @BeforeEach
  void enqueue() {
    database.execute(
        """
        insert into readpast_job (id, queue, type, state, position, waits_for, group_key, available_at, payload)
        select 10 * i, 'q', 't', case i when 1 then 'AVAILABLE' else 'BLOCKED' end,
          case i when 1 then nextval('readpast_position') end, case when i > 1 then 'GROUP' end, 'g',
          clock_timestamp(), '{}'
        from generate_series(1, 5) i""");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private ClaimedJob first() {
    return new Claims(transactions)
        .lease(
            "q",
            List.of(new Lane("t", 4, 0, 1)),
            new Claims.ClaimBounds(1, BYTES, ALLOWED, ALLOWED, List.of()),
            NODE)
        .jobs()
        .get(0);
  }

  private List<ClaimedJob> end(ClaimedJob job, @Nullable Long through) {
    return end(job, through, 1);
  }

  private List<ClaimedJob> end(ClaimedJob job, @Nullable Long through, int most) {
    return transactions.requiresNewUnbounded(
        () ->
            jobEnds
                .endLeasedAndLeaseNext(
                    List.of(EndedJob.succeeded(job, null)), NODE, ALLOWED, through, most, BYTES)
                .next());
  }

  /** Returns the second job, which was leased by the statement that ended the first one. */
  private ClaimedJob next() {
    ClaimedJob first = first();
    return end(first, first.lease()).get(0);
  }

  private long letGo() {
    return transactions.requiresNew(
        () ->
            AlikeJobs.jobs(
                new DependencyStore(transactions).releaseGroups(List.of(new Group("q", "g")))));
  }

  private void prune() {
    transactions.requiresNewUnbounded(
        () -> {
          new RetentionStore(transactions).pruneOperations(Duration.ofDays(1));
          return true;
        });
  }

  private List<String> column(String sql) {
    return TestDatabase.column(database, sql);
  }

  @Test
  void end_of_a_job_leases_the_next_job_of_the_group() {
    ClaimedJob next = next();
    assertThat(next.id()).isEqualTo(20);
    assertThat(next.group()).isEqualTo("g");
    assertThat(
            column(
                "select concat_ws(' ', id, state, waits_for, position, owner, claim_no, attempt) from readpast_job"
                    + " where state <> 'BLOCKED'"))
        .containsExactly("20 RUNNING GROUP 7 1 1");
    assertThat(column("select unnest(jobs) from readpast_lease")).containsExactly("20");
    assertThat(column("select id from readpast_dependency_event")).isEmpty();
  }

  @Test
  void properties_of_the_next_jobs_count_towards_the_free_bytes() {
    database.execute(
        "update readpast_job set properties = cast('{\"p\":\"' || repeat('x', 399990) || '\"}' as json) where id > 10");
    assertThat(end(first(), null, 4).stream().flatMap(ClaimedJob::all))
        .extracting(ClaimedJob::id)
        .containsExactly(20L, 30L);
  }

  @Test
  void lease_with_remaining_jobs_is_kept() {
    end(first(), null);
    assertThat(column("select unnest(jobs) from readpast_lease order by 1"))
        .containsExactly("10", "20");
  }

  @Test
  void continuing_with_the_next_of_group_writes_no_index() {
    List<EndedJob> first = List.of(EndedJob.succeeded(first(), null));
    Object written =
        transactions.requiresNewUnbounded(
            () -> {
              assertThat(jobEnds.endLeasedAndLeaseNext(first, NODE, ALLOWED, null, 3, BYTES).next())
                  .hasSize(1);
              return transactions
                  .entityManager()
                  .createNativeQuery(
                      """
                      select pg_stat_get_xact_tuples_updated(oid) > 0,
                        pg_stat_get_xact_tuples_updated(oid) - pg_stat_get_xact_tuples_hot_updated(oid)
                      from pg_class where relname = 'readpast_job'""")
                  .getSingleResult();
            });
    assertThat(written).isEqualTo(new Object[] {true, 0L});
  }

  @Test
  void resolver_releases_no_other_job_of_the_group() {
    next();
    database.execute(
        """
        insert into readpast_job (id, queue, type, state, waits_for, unseen, group_key, available_at, payload)
        values (1, 'q', 't', 'BLOCKED', 'GROUP', true, 'g', clock_timestamp(), '{}')""");
    assertThat(letGo()).isZero();
    assertThat(column("select id from readpast_job where waits_for = 'GROUP' order by id"))
        .containsExactly("1", "20", "30", "40", "50");
  }

  @Test
  void resolver_releases_the_following_job_once_it_has_ended() {
    ClaimedJob next = next();
    transactions.requiresNewUnbounded(
        () -> jobEnds.endLeased(List.of(EndedJob.succeeded(next, null)), NODE, false));
    assertThat(column("select unnest(jobs) from readpast_dependency_event")).containsExactly("20");
    assertThat(letGo()).isEqualTo(1);
    assertThat(column("select id from readpast_job where state = 'AVAILABLE'"))
        .containsExactly("30");
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "3, 2"})
  void resolver_counts_the_leased_job_under_a_higher_concurrency(int concurrency, int more) {
    next();
    database.execute("insert into readpast_group values ('q', 'g', " + concurrency + ")");
    assertThat(letGo()).isEqualTo(more);
    assertThat(letGo()).isZero();
  }

  @Test
  void lowered_concurrency_applies_to_the_next_jobs_of_a_group() {
    ClaimedJob next = next();
    database.execute("insert into readpast_group values ('q', 'g', 2)");
    assertThat(letGo()).isEqualTo(1);
    database.execute("update readpast_group set concurrency = 1");
    ClaimedJob beside = first();
    prune();
    assertThat(end(beside, beside.lease())).as("the other job is still running").isEmpty();
    assertThat(letGo()).isZero();

    transactions.requiresNewUnbounded(
        () -> jobEnds.endLeased(List.of(EndedJob.succeeded(next, null)), NODE, false));
    assertThat(letGo()).isEqualTo(1);
  }

  @Test
  void empty_group_needs_no_further_events() {
    database.execute("insert into readpast_group values ('q', 'g', 1), ('q', 'two', 2)");
    prune();
    assertThat(column("select key from readpast_group order by 1")).containsExactly("g", "two");
    database.execute("delete from readpast_job");
    prune();
    assertThat(column("select key from readpast_group")).containsExactly("two");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into readpast_hold (job_id, queue, group_key) values (9, 'q', 'g')",
        "insert into readpast_dependency_event (event, state, group_holds) values ('ENDED', 'DISCARDED', true)",
        "insert into readpast_group values ('q', 'g', 1)",
        "update readpast_job set type = 'u' where id = 20",
        "update readpast_job set priority = 5 where id = 20",
        "update readpast_job set batch = 1, wave = 0 where id = 20",
        "update readpast_job set unseen = true where id = 20",
        "update readpast_job set available_at = clock_timestamp() + interval '1 hour' where id = 20"
      })
  void resolver_decides_about_a_job_that_may_not_continue_its_group(String otherwise) {
    ClaimedJob first = first();
    database.execute(otherwise);
    assertThat(end(first, first.lease())).isEmpty();
    assertThat(column("select unnest(jobs) from readpast_dependency_event where jobs is not null"))
        .containsExactly("10");
  }

  @Test
  void locked_job_is_left_to_the_resolver() throws Exception {
    ClaimedJob first = first();
    try (var other = database.connect();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = 20 for update");
      assertThat(end(first, first.lease())).as("no job behind the locked one").isEmpty();
    }
    assertThat(column("select unnest(jobs) from readpast_dependency_event")).containsExactly("10");
  }

  @Test
  void leased_next_of_group_is_shown_as_running() {
    next();
    ReasonReads reasons = new ReasonReads(transactions);
    assertThat(transactions.requiresNewUnbounded(() -> reasons.groupActive("q", "g")))
        .containsExactly(new ReasonReads.Active(20, JobState.RUNNING));
    assertThat(transactions.requiresNewUnbounded(() -> reasons.groupTurn("q", "g", 40)).before())
        .isEqualTo(1);
    assertThat(column(SearchSql.blocked().replace("?1", "10"))).containsExactly("30", "40", "50");
    assertThat(column(SearchSql.running().replace("?1", "10"))).containsExactly("20");
  }

  private void change(Runnable verb) {
    transactions.requiresNewUnbounded(
        () -> {
          verb.run();
          return true;
        });
  }

  private List<String> waiting() {
    return column(
        "select concat_ws(' ', id, attempt) from readpast_job where state = 'BLOCKED' and waits_for = 'GROUP' order by id");
  }

  @Test
  void released_next_of_group_waits_for_its_turn_again() {
    ClaimedJob next = next();
    change(() -> releases.releaseUnstarted(List.of(next)));
    assertThat(waiting()).containsExactly("20 0", "30 0", "40 0", "50 0");
    assertThat(
            column("select concat_ws(' ', event, queue, group_key) from readpast_dependency_event"))
        .containsExactly("RECHECK q g");
    assertThat(letGo()).isEqualTo(1);
    assertThat(column("select id from readpast_job where state = 'AVAILABLE'"))
        .containsExactly("20");
  }

  /** Returns the second job, with two jobs behind it. */
  private ClaimedJob nextOfThree() {
    ClaimedJob first = first();
    return end(first, first.lease(), 3).get(0);
  }

  @Test
  void several_next_jobs_of_a_group_are_leased_in_order() {
    ClaimedJob next = nextOfThree();
    assertThat(next.all().map(ClaimedJob::id)).containsExactly(20L, 30L, 40L);
    assertThat(column("select id from readpast_job where state = 'RUNNING' order by 1"))
        .containsExactly("20", "30", "40");
    assertThat(column("select unnest(jobs) from readpast_lease order by 1"))
        .containsExactly("20", "30", "40");
    assertThat(letGo()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type = 'u'",
        "priority = 5",
        "batch = 1, wave = 0",
        "unseen = true",
        "available_at = clock_timestamp() + interval '1 hour'"
      })
  void no_job_is_leased_after_a_job_that_cannot_be_leased(String otherwise) {
    database.execute("update readpast_job set " + otherwise + " where id = 30");
    assertThat(nextOfThree().all().map(ClaimedJob::id)).containsExactly(20L);
  }

  @Test
  void no_job_is_leased_after_a_locked_job() throws Exception {
    try (var other = database.connect();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from readpast_job where id = 30 for update");
      assertThat(nextOfThree().all().map(ClaimedJob::id)).containsExactly(20L);
    }
  }

  @Test
  void continuing_with_the_next_of_group_records_no_event() {
    ClaimedJob next = nextOfThree();
    transactions.requiresNewUnbounded(
        () -> jobEnds.endLeased(List.of(EndedJob.succeeded(next, null)), NODE, false));
    assertThat(column("select id from readpast_dependency_event")).isEmpty();
    assertThat(letGo()).isZero();
  }

  @Test
  void next_of_a_retried_job_waits_for_its_turn_again() {
    ClaimedJob next = nextOfThree();
    change(() -> releases.retry(next, Duration.ZERO, true, false));
    assertThat(waiting()).containsExactly("30 0", "40 0", "50 0");
    assertThat(letGo()).isZero();
    assertThat(column("select id from readpast_job where state = 'AVAILABLE'"))
        .containsExactly("20");
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"DISCARDED", "CANCELLED"})
  void next_of_a_failed_job_waits_for_its_turn_again(JobState badly) {
    ClaimedJob next = nextOfThree();
    change(() -> jobEnds.end(next, badly, null, NODE));
    assertThat(waiting()).containsExactly("30 0", "40 0", "50 0");
    assertThat(column("select unnest(jobs) from readpast_dependency_event where jobs is not null"))
        .containsExactly("20");
  }

  @Test
  void group_jobs_of_a_lost_node_continue_in_order() {
    nextOfThree();
    database.execute(
        """
        insert into readpast_node (id, name, version, lease_ms, queues, types)
        select gen_random_uuid(), 'n', '1', 10000, '{}', '{}' from generate_series(1, 7);
        update readpast_node set state = 'DEAD' where no = 7""");
    change(
        () ->
            releases.release(
                new MaintenanceStore(transactions)
                    .lockLostOrOverdue(10, Duration.ZERO).stream()
                        .map(
                            lost ->
                                new ReleaseStore.Release(
                                    lost.id(), lost.claimNo(), true, false, 1, Duration.ZERO, true))
                        .toList()));
    assertThat(waiting()).containsExactly("20 1", "30 1", "40 1", "50 0");
    assertThat(letGo()).isEqualTo(1);
    assertThat(column("select id from readpast_job where state = 'AVAILABLE'"))
        .containsExactly("20");
    assertThat(letGo()).isZero();
  }
}
