package org.readpast.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.admin.sql.SearchSql;
import org.readpast.admin.store.BatchReads;
import org.readpast.admin.store.BatchView;
import org.readpast.admin.store.JobAdmin;
import org.readpast.admin.store.JobReads;
import org.readpast.admin.store.JobView;
import org.readpast.api.JobState;
import org.readpast.dependency.AlikeJobs;
import org.readpast.dependency.WaveStore;
import org.readpast.model.QueueScope;
import org.readpast.store.Claims.WaveRange;
import org.readpast.support.Database;
import org.readpast.support.LocalTransactions;
import org.readpast.support.TestDatabase;

/** Tests that jobs are claimed directly from their wave only while it is open. */
class WaveClaimsIT {
  private static final int NODE = 7;
  private static final long BYTES = 1_000_000;
  private static final Duration ALLOWED = Duration.ofMinutes(1);

  private final Database database = TestDatabase.withTables();
  private final LocalTransactions transactions = new LocalTransactions(database);
  private final Claims claims = new Claims(transactions);
  private final ReleaseStore releases = new ReleaseStore(transactions, () -> {}, lanes -> {});
  private final JobAdmin admin = new JobAdmin(transactions);

  /**
   * Batch 1 has jobs 1 to 6 in wave 1, and jobs 11 to 16 in wave 2. All jobs of wave 0 have ended.
   */
  @BeforeEach
  void enqueue() {
    database.execute(
        """
        insert into readpast_queue (name) values ('q');
        insert into readpast_node (id, name, version, lease_ms, queues, types)
        select gen_random_uuid(), 'n', '1', 10000, '{}', '{}' from generate_series(1, 7);
        insert into readpast_batch (name, on_failure) values ('b', 'HOLD');
        insert into readpast_wave (batch, no, live, completed) values (1, 0, 0, 3), (1, 1, 6, 0), (1, 2, 6, 0);
        insert into readpast_job (id, queue, type, state, waits_for, batch, wave, available_at, payload)
        select 10 * wave - 10 + i, 'q', 't', 'BLOCKED', 'WAVE', 1, wave, clock_timestamp(), '{}'
        from generate_series(1, 2) wave, generate_series(1, 6) i""");
  }

  @AfterEach
  void close() {
    transactions.close();
  }

  private List<ClaimedJob> claim(int wave, long after, long before, boolean fromTheEnd, int most) {
    WaveRange range =
        new WaveRange(new Wave(1, wave), "q", "t", 4, after, before, fromTheEnd, most);
    return claims.leaseFromWave(range, NODE, BYTES, ALLOWED);
  }

  private List<Long> claimed(int wave) {
    return ids(claim(wave, 0, Long.MAX_VALUE, false, 100));
  }

  private static List<Long> ids(List<ClaimedJob> jobs) {
    return jobs.stream().map(ClaimedJob::id).toList();
  }

  @Test
  void first_and_last_jobs_of_the_lowest_wave_are_claimed() {
    assertThat(ids(claim(1, 0, Long.MAX_VALUE, false, 2))).containsExactly(1L, 2L);
    assertThat(ids(claim(1, 2, Long.MAX_VALUE, true, 2))).containsExactly(6L, 5L);
    assertThat(ids(claim(1, 2, 5, false, 100))).containsExactly(3L, 4L);
    assertThat(claimed(1)).isEmpty();
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_job where id <= 6 and state = 'RUNNING' and owner = 7 and claim_no = 1"
                    + " and attempt = 1 and position is null"))
        .isEqualTo(6);
    assertThat(TestDatabase.count(database, "select count(*) from readpast_lease where node = 7"))
        .isEqualTo(3);
  }

  @Test
  void jobs_locked_by_another_transaction_are_skipped() {
    transactions.requiresNewUnbounded(
        () -> {
          assertThat(
                  ids(
                      claims.leaseFromWave(
                          new WaveRange(new Wave(1, 1), "q", "t", 4, 0, Long.MAX_VALUE, false, 4),
                          NODE,
                          BYTES,
                          ALLOWED)))
              .hasSize(4);
          try (var other = new LocalTransactions(database)) {
            WaveRange all =
                new WaveRange(new Wave(1, 1), "q", "t", 4, 0, Long.MAX_VALUE, false, 100);
            assertThat(
                    ids(
                        other.requiresNewUnbounded(
                            () -> new Claims(other).leaseFromWave(all, NODE, BYTES, ALLOWED))))
                .containsExactly(5L, 6L);
          }
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update readpast_batch set held_at = clock_timestamp()",
        "update readpast_batch set cancelled_at = clock_timestamp()",
        "insert into readpast_hold (job_id, batch, wave) values (99, 1, 0)",
        "update readpast_wave set live = 1 where no = 0",
        "update readpast_wave set live = 0 where no = 1",
        "update readpast_job set group_key = 'g' where wave = 1",
        "update readpast_job set available_at = clock_timestamp() + interval '1 hour'",
        "update readpast_job set unseen = true",
        "update readpast_job set waits_for = 'PREDECESSOR'",
        "update readpast_job set type = 'other'",
        "update readpast_job set priority = 5",
        "update readpast_job set queue = 'other'",
        // A job was added to a lower wave, and is not registered yet.
        """
        insert into readpast_job (id, queue, type, state, waits_for, batch, wave, available_at, payload, unseen)
        values (50, 'q', 't', 'BLOCKED', 'WAVE', 1, 0, clock_timestamp(), '{}', true)""",
        // A job was added to a lower wave, but waits for its predecessors first.
        """
        insert into readpast_job (id, queue, type, state, waits_for, batch, wave, available_at, payload, unseen)
        values (50, 'q', 't', 'BLOCKED', 'PREDECESSOR', 1, 0, clock_timestamp(), '{}', true)""",
      })
  void closed_wave_yields_no_job(String change) {
    database.execute(change);
    assertThat(claimed(1)).isEmpty();
  }

  @Test
  void higher_or_unknown_wave_yields_no_job() {
    assertThat(claimed(2)).isEmpty();
    assertThat(claimed(0)).isEmpty();
    assertThat(claimed(3)).isEmpty();
    database.execute("delete from readpast_batch");
    assertThat(claimed(1)).isEmpty();
  }

  @Test
  void hold_of_the_wave_itself_does_not_hold_its_own_jobs() {
    database.execute("insert into readpast_hold (job_id, batch, wave) values (99, 1, 1)");
    assertThat(claimed(1)).hasSize(6);
  }

  @Test
  void resolver_skips_claimed_jobs_and_releases_the_other_jobs() {
    claim(1, 0, Long.MAX_VALUE, false, 4);
    WaveStore waves = new WaveStore(transactions);
    assertThat(transactions.requiresNewUnbounded(() -> waves.waiting(List.of(1L), 100)).get(1L))
        .extracting(WaveStore.Waiting::jobs)
        .containsExactly(2);
    List<AlikeJobs> moved =
        transactions.requiresNewUnbounded(() -> waves.releaseWaves(List.of(1L), 100));
    assertThat(AlikeJobs.jobs(moved)).isEqualTo(2);
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_job where state = 'AVAILABLE' and id in (5, 6)"))
        .isEqualTo(2);
    assertThat(
            TestDatabase.count(
                database,
                "select count(*) from readpast_job where state = 'RUNNING' and owner = 7"))
        .isEqualTo(4);
  }

  @Test
  void wave_with_enough_equal_ready_jobs_is_checked_again() {
    assertThat(lookedAtAgain(7)).isEmpty();
    transactions.requiresNewUnbounded(() -> new WaveStore(transactions).waiting(List.of(1L), 6));
    assertThat(TestDatabase.count(database, "select count(*) from readpast_dependency_event"))
        .isZero();
    assertThat(lookedAtAgain(6)).containsExactly("RECHECK 1 1");
  }

  @Test
  void wave_whose_jobs_differ_or_are_not_due_is_not_checked_again() {
    database.execute("update readpast_job set priority = 5 where id = 6");
    assertThat(lookedAtAgain(6)).isEmpty();
    database.execute(
        "update readpast_job set priority = 4, available_at = available_at + interval '1 hour' where wave = 1");
    assertThat(lookedAtAgain(6)).isEmpty();
  }

  private List<String> lookedAtAgain(int most) {
    transactions.requiresNewUnbounded(
        () -> new WaveStore(transactions).waitingRequestingCheck(List.of(1L), most));
    return TestDatabase.column(
        database, "select concat_ws(' ', event, batch, wave) from readpast_dependency_event");
  }

  @Test
  void claimed_job_is_shown_without_a_dependency() {
    claim(1, 0, Long.MAX_VALUE, false, 1);
    JobView job =
        transactions.requiresNewUnbounded(() -> new JobReads(transactions, QueueScope.ALL).find(1));
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.waitsFor()).isNull();
    BatchView.Wave wave =
        transactions
            .requiresNewUnbounded(
                () -> new BatchReads(transactions, QueueScope.ALL).views("b", "", 1))
            .get(0)
            .waves()
            .stream()
            .filter(w -> w.number() == 1)
            .findFirst()
            .orElseThrow();
    assertThat(wave.waiting()).isEqualTo(5);
    assertThat(TestDatabase.column(database, SearchSql.blocked().replace("?1", "100")))
        .containsExactlyInAnyOrder("2", "3", "4", "5", "6", "11", "12", "13", "14", "15", "16");
  }

  @Test
  void job_is_not_reset_if_a_job_of_a_higher_wave_was_claimed() {
    database.execute(
        """
        insert into readpast_job_history (id, enqueued_at, available_at, claim_no, attempt, uncounted, crashes,
          priority, state, queue, type, payload, batch, wave)
        values (99, now(), now(), 1, 1, 0, 0, 4, 'DISCARDED', 'q', 't', '{}', 1, 0)""");
    assertThat(transactions.requiresNewUnbounded(() -> admin.overtaken(99))).isFalse();
    claim(1, 0, Long.MAX_VALUE, false, 1);
    assertThat(transactions.requiresNewUnbounded(() -> admin.overtaken(99))).isTrue();
  }

  @Test
  void claimed_job_no_longer_waits_for_its_wave_after_its_release() {
    List<ClaimedJob> jobs = claim(1, 0, Long.MAX_VALUE, false, 4);
    transactions.requiresNewUnbounded(
        () -> {
          releases.releaseUnstarted(List.of(jobs.get(0)));
          releases.retry(jobs.get(1), Duration.ZERO, true, false);
          releases.retry(jobs.get(2), Duration.ofHours(1), true, false);
          return true;
        });
    database.execute("update readpast_node set state = 'DEAD' where no = 7");
    MaintenanceStore upkeep = new MaintenanceStore(transactions);
    transactions.requiresNewUnbounded(
        () -> {
          List<MaintenanceStore.LostOrOverdueClaim> lost =
              upkeep.lockLostOrOverdue(10, Duration.ZERO);
          assertThat(lost).extracting(MaintenanceStore.LostOrOverdueClaim::id).containsExactly(4L);
          return releases.release(
              List.of(
                  new ReleaseStore.Release(
                      lost.get(0).id(),
                      lost.get(0).claimNo(),
                      true,
                      false,
                      1,
                      Duration.ZERO,
                      true)));
        });
    assertThat(
            TestDatabase.column(
                database,
                "select id || state from readpast_job where id <= 4 and waits_for is null order by 1"))
        .containsExactly("1AVAILABLE", "2AVAILABLE", "3SCHEDULED", "4AVAILABLE");
  }
}
